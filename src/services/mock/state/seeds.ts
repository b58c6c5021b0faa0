import { isObject, type Json, type JsonObject, memberOf } from '../document/json.ts'
import type { MediaType, Operation } from '../model/api.ts'
import { declaredExamples } from '../response/content-value.ts'
import type { Collection } from './collection.ts'
import { parentNames, plain } from './identity.ts'
import { jsonOf } from './infer.ts'
import { findList } from './record-location.ts'
import type { Seed } from './records.ts'

/** Initial records of the collections. */
export interface Seeds {
  /** Initial records below these parents, whose ids are in the order of the path. */
  at: (collection: Collection, parents: readonly string[]) => Seed
  /** Ids of parents whose collections have their own initial records. */
  parentsWithSeeds: (collection: Collection) => readonly (readonly string[])[]
  /** Highest numeric id of the initial records. */
  highest: (collection: Collection) => number
}

export interface SeedEntry {
  /** If undefined, the record exists below every parent. */
  parents: readonly string[] | undefined
  record: JsonObject
}

export type Entries = ReadonlyMap<Collection, readonly SeedEntry[]>

const EMPTY: Seed = new Map()

/** `name` creates an id for a record that has none. */
export function createSeeds(
  entries: Entries,
  name: (collection: Collection, number: number) => Json
): Seeds {
  const shelves = new Map<Collection, Map<string, { parents: readonly string[]; seed: Seed }>>()
  const everywhere = new Map<Collection, Map<string, JsonObject>>()
  const highest = new Map<Collection, number>()

  for (const [collection, list] of entries) {
    let number = 0
    for (const { parents, record: given } of list) {
      number += 1
      const record = named(collection, given, number)
      const id = idOf(collection, record) ?? String(number)
      const seed = parents === undefined ? shared(collection) : shelf(collection, parents)
      // If an id occurs twice, the first record is used.
      if (!seed.has(id)) seed.set(id, record)
      const value = /^\d{1,15}$/.test(id) ? Number(id) : 0
      highest.set(collection, Math.max(highest.get(collection) ?? 0, value))
    }
  }

  function named(collection: Collection, record: JsonObject, number: number): JsonObject {
    const { id } = collection
    if (id === undefined || idOf(collection, record) !== undefined) return record
    return Object.fromEntries([[id.name, name(collection, number)], ...Object.entries(record)])
  }

  function shared(collection: Collection): Map<string, JsonObject> {
    const known = everywhere.get(collection) ?? new Map<string, JsonObject>()
    everywhere.set(collection, known)
    return known
  }

  function shelf(collection: Collection, parents: readonly string[]): Map<string, JsonObject> {
    const byScope = shelves.get(collection) ?? new Map()
    shelves.set(collection, byScope)
    const key = JSON.stringify(parents)
    const known = byScope.get(key) ?? { parents, seed: new Map<string, JsonObject>() }
    byScope.set(key, known)
    return known.seed as Map<string, JsonObject>
  }

  return {
    at(collection, parents) {
      const own = shelves.get(collection)?.get(JSON.stringify(parents))?.seed
      const common = everywhere.get(collection)
      if (own === undefined || common === undefined) return own ?? common ?? EMPTY
      return new Map([...own, ...[...common].filter(([id]) => !own.has(id))])
    },
    parentsWithSeeds: (collection) =>
      [...(shelves.get(collection)?.values() ?? [])].map((one) => one.parents),
    highest: (collection) => highest.get(collection) ?? 0
  }
}

export function idOf({ id }: Collection, record: JsonObject): string | undefined {
  const value = id && memberOf(record, id.name)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** Records in the examples of responses: of lists first, then of single items. */
export function seedsOfExamples(collection: Collection): SeedEntry[] {
  return [...collection.actions].flatMap(([operation, action]) => {
    if (operation.method !== 'GET') return []
    const media = jsonOf(operation)
    if (media === undefined) return []
    const records = action === 'list' ? listed(collection, media) : shown(collection, media)
    return records.map((record) => ({ record, parents: parentsOf(collection, operation, record) }))
  })
}

function listed(collection: Collection, media: MediaType): JsonObject[] {
  const { served, reader, path } = collection
  const location = findList(served, reader, media, path.slice(path.lastIndexOf('/') + 1))
  const [first] = declaredExamples(served, media)
  const value =
    location?.member === undefined ? first?.value : memberOf(first?.value, location.member)
  return Array.isArray(value) ? value.filter(isObject) : []
}

function shown(collection: Collection, media: MediaType): JsonObject[] {
  return declaredExamples(collection.served, media).flatMap(({ value }) => {
    const inner = isObject(value) ? Object.values(value).filter(isObject) : []
    const record = [value, ...inner].find((one) => hasId(collection, one))
    return isObject(record) ? [record] : []
  })
}

function hasId(collection: Collection, value: Json | undefined): boolean {
  return isObject(value) && idOf(collection, value) !== undefined
}

/** Parents by properties named like the parameters, otherwise by examples of the parameters. */
export function parentsOf(
  { parents, path }: Collection,
  operation: Pick<Operation, 'parameters'> | undefined,
  record: JsonObject
): readonly string[] | undefined {
  if (parents.length === 0) return []
  const names = parentNames(path)
  const found = parents.map((parent, index) => {
    const name = Object.keys(record).find((one) => names[index]?.includes(plain(one)))
    const parameter = operation?.parameters.find((one) => one.in === 'path' && one.name === parent)
    const value = name === undefined ? parameter?.examples[0]?.value : record[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  })
  return found.every((one) => one !== undefined) ? found : undefined
}
