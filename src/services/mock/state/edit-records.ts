import { createHash } from 'node:crypto'
import {
  CollectionUnknown,
  InvalidRecord,
  RecordChanged,
  RecordTaken,
  RecordUnknown
} from '../admin/errors.ts'
import type { Json, JsonObject } from '../document/json.ts'
import { diagnose } from '../request/diagnose.ts'
import type { Collection } from './collection.ts'
import type { CollectionScope } from './collection-scope.ts'
import { recordsBelow } from './descendants.ts'
import { type FoundCollection, findCollection, pathOf } from './find-collection.ts'
import { withoutSecrets } from './fit-to-schema.ts'
import { isGivenId } from './identity.ts'
import { floorOf, makeId, type NewRecordInput } from './new-record.ts'
import type { CollectionRecord, Records, Seed } from './records.ts'
import type { Seeds } from './seeds.ts'
import type { Store } from './store.ts'
import type { RecordEditor, StoredRecord } from './view.ts'

export interface EditContext {
  store: Store
  records: Records
  making: NewRecordInput
  /** The collections that are served now. */
  current: () => { collections: readonly Collection[]; seeds: Seeds }
}

const VERSION_LENGTH = 16

/** Identifies the content of a record, so that an edit does not overwrite a later change. */
export function versionOf(record: JsonObject): string {
  return createHash('sha256').update(JSON.stringify(record)).digest('hex').slice(0, VERSION_LENGTH)
}

/**
 * Changes of people who operate the mock. They need no operation of the document, and a record is
 * stored as it was written.
 */
export function createRecordEditor({ store, records, making, current }: EditContext): RecordEditor {
  interface Located extends FoundCollection {
    scope: CollectionScope
    seed: Seed
    listPath: string
  }

  function locate(path: string, session: string): Located {
    const { collections, seeds } = current()
    const found = findCollection(collections, path)
    if (found?.parents === undefined) throw new CollectionUnknown(path)
    const { collection, parents } = found
    return {
      ...found,
      scope: { session, collection: collection.key, parents },
      seed: seeds.at(collection, parents),
      listPath: pathOf(collection, parents)
    }
  }

  function locateRecord(path: string, session: string): Located & { id: string } {
    const located = locate(path, session)
    if (located.id === undefined) throw new RecordUnknown(path)
    return { ...located, id: located.id }
  }

  return {
    async list(path, session) {
      const { scope, seed, listPath, id } = locate(path, session)
      if (id !== undefined) return undefined
      const kept = await store.read(() => records.list(scope, seed))
      return kept.map((one) => show(listPath, one))
    },
    async find(path, session) {
      const { scope, seed, listPath, id } = locateRecord(path, session)
      const record = await store.read(() => records.find(scope, seed, id))
      if (record === undefined) throw new RecordUnknown(path)
      return show(listPath, { id, record })
    },
    async add(path, record, { session, checks }) {
      const { collection, scope, seed, listPath, id: inPath } = locate(path, session)
      if (inPath !== undefined) throw new CollectionUnknown(path)
      const given = chosenId(collection, record)
      const creation = {
        id: given === undefined ? undefined : String(given),
        floor: Math.max(floorOf(collection), current().seeds.highest(collection)),
        make(number: number): CollectionRecord {
          const id = given ?? makeId(collection, number, making)
          const made = withId(collection, record, id)
          if (checks) rejectInvalid(collection, made)
          return { id: String(id), record: made }
        }
      }
      const made = await store.write(() => records.create(scope, seed, creation))
      if (made === undefined) throw new RecordTaken(String(given))
      return show(listPath, made)
    },
    async save(path, record, { session, checks, version }) {
      const { collection, scope, seed, listPath, id } = locateRecord(path, session)
      const given = chosenId(collection, record)
      if (given !== undefined && String(given) !== id) {
        throw new InvalidRecord(`The id of the record is ${id} and cannot be changed`)
      }
      const changed = await store.write(() =>
        records.change(scope, seed, id, (before) => {
          if (version !== undefined && version !== versionOf(before)) throw new RecordChanged()
          const name = collection.id?.name
          const own = name === undefined ? undefined : before[name]
          const next =
            given === undefined && own !== undefined ? withId(collection, record, own) : record
          if (checks) rejectInvalid(collection, next)
          return next
        })
      )
      if (changed === undefined)
        throw version === undefined ? new RecordUnknown(path) : new RecordChanged()
      return show(listPath, { id, record: changed })
    },
    async remove(path, session) {
      const { collection, scope, seed, id, listPath } = locateRecord(path, session)
      const below = recordsBelow(current().seeds, collection, [...scope.parents, id])
      const gone = await store.write(() => records.remove(scope, seed, id, below), { frees: true })
      if (gone === undefined) throw new RecordUnknown(path)
      return listPath
    }
  }
}

function show(listPath: string, { id, record }: CollectionRecord): StoredRecord {
  const path = `${listPath}/${encodeURIComponent(id.toWellFormed())}`
  return { id, path, list: listPath, record, version: versionOf(record) }
}

function chosenId({ id }: Collection, record: JsonObject): string | number | undefined {
  const value = id === undefined || !Object.hasOwn(record, id.name) ? undefined : record[id.name]
  return isGivenId(value) ? value : undefined
}

/** The id is the first member, as in records that clients create. */
function withId({ id }: Collection, record: JsonObject, value: Json): JsonObject {
  if (id === undefined) return record
  return Object.fromEntries([
    [id.name, value],
    ...Object.entries(record).filter(([name]) => name !== id.name)
  ])
}

function rejectInvalid(collection: Collection, record: JsonObject): void {
  const { served, reader, schema } = collection
  const found = schema === undefined ? undefined : served.schemas.find(`#${schema}`, 'response')
  if (schema === undefined || !found?.ok) return
  const violations = found.compiled.validate(withoutSecrets(reader, schema, record))
  if (violations.length === 0) return
  const validation = violations.map((each) => diagnose(each, 'Request', 'body'))
  throw Object.assign(new InvalidRecord('The record violates the document'), { validation })
}
