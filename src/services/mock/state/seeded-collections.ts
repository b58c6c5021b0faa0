import type { ServedApi } from '../served-api.ts'
import { type Collection, canCreate } from './collection.ts'
import { inferCollections } from './infer.ts'
import { readSeedFile, seedsOfFile } from './seed-file.ts'
import { type Entries, type SeedEntry, seedsOfExamples } from './seeds.ts'

export interface SeedOptions {
  /** Name of a file. */
  seedData: string | undefined
  ignoreExamples: boolean
}

export interface Seeded {
  collections: readonly Collection[]
  entries: Entries
  /** Addresses of what was read. */
  files: readonly string[]
}

/** The collections that can ever hold a record; the others are better off as samples. */
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
