import type { ServedApi } from '../served-api.ts'
import { type Collection, canCreate } from './collection.ts'
import { inferCollections } from './infer.ts'
import { readSeedFile, seedsOfFile } from './seed-file.ts'
import { type Entries, type SeedEntry, seedsOfExamples } from './seeds.ts'

export interface SeedOptions {
  /** Path of the seed file. */
  seedData: string | undefined
  ignoreExamples: boolean
}

export interface Seeded {
  collections: readonly Collection[]
  entries: Entries
  /** URLs of the files that were read. */
  files: readonly string[]
}

/**
 * Collections that can contain records, with their seed data; the others are mocked without state.
 */
export async function seedCollections(
  apis: readonly ServedApi[],
  { seedData, ignoreExamples }: SeedOptions
): Promise<Seeded> {
  const found = inferCollections(apis)
  const file = seedData === undefined ? undefined : await readSeedFile(seedData)
  const given = file === undefined ? undefined : seedsOfFile(file, found)
  const seedsOf = (collection: Collection): SeedEntry[] =>
    given?.get(collection) ?? (ignoreExamples ? [] : seedsOfExamples(collection))
  const entries = new Map(found.map((collection) => [collection, seedsOf(collection)]))
  return {
    collections: found.filter((one) => canCreate(one) || (entries.get(one)?.length ?? 0) > 0),
    entries,
    files: file === undefined ? [] : [file.href]
  }
}
