import { UserError } from '../../../kernel/errors.ts'
import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { parseDocument } from '../document/parse.ts'
import { formatPointer } from '../document/pointer.ts'
import { readLocal, toUrl } from '../document/read-text.ts'
import type { Collection } from './collection.ts'
import { findCollection } from './find-collection.ts'
import { withoutSecrets } from './fit-to-schema.ts'
import { parentsOf, type SeedEntry } from './seeds.ts'

/** A parsed seed file: records by the path of their collection. */
export interface SeedFile {
  /** As typed, for messages. */
  name: string
  /** URL of the file, which is watched. */
  href: string
  content: JsonObject
}

export async function readSeedFile(name: string): Promise<SeedFile> {
  const url = toUrl(name)
  if (url.protocol !== 'file:') {
    throw new UserError(`--seed-data must be a file, not ${name}`)
  }
  return { name, href: url.href, content: await parseDocument(await readLocal(url), name) }
}

/** Seed records of a file by collection; errors name file and pointer. */
export function seedsOfFile(
  { name, content }: SeedFile,
  collections: readonly Collection[]
): Map<Collection, SeedEntry[]> {
  const seeds = new Map<Collection, SeedEntry[]>()
  for (const [path, list] of Object.entries(content)) {
    const found = findCollection(collections, path)
    if (found === undefined || found.id !== undefined) {
      const known = collections.map((one) => one.key).join(', ') || 'none'
      throw reject([path], `is not a collection of the documents; known collections: ${known}`)
    }
    if (!Array.isArray(list)) throw reject([path], 'must be an array of records')
    const entries = list.map((record, index) => {
      const at = [path, String(index)]
      if (!isObject(record)) throw reject(at, 'must be an object')
      checkRecord(found.collection, record, at)
      const parents = found.parents ?? parentsOf(found.collection, undefined, record)
      return { record, parents }
    })
    seeds.set(found.collection, [...(seeds.get(found.collection) ?? []), ...entries])
  }
  return seeds

  function checkRecord(collection: Collection, record: JsonObject, at: readonly string[]): void {
    const { served, reader, schema } = collection
    if (schema === undefined) return
    const checked = served.schemas.find(`#${schema}`, 'response')
    const shown: Json = withoutSecrets(reader, schema, record)
    // Missing properties are filled in when the record is shown.
    const wrong = checked.ok
      ? checked.compiled.validate(shown).find(({ keyword }) => keyword !== 'required')
      : undefined
    if (wrong !== undefined) throw reject([...at, ...wrong.path], wrong.message)
  }

  function reject(tokens: readonly string[], text: string): UserError {
    return new UserError(`${name}#${formatPointer(tokens)} ${text}`)
  }
}
