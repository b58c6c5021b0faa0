import type { ServedApi } from '../served-api.ts'
import type { Collection } from './collection.ts'
import { inferCollections } from './infer.ts'
import { readSeedFile, seedsOfFile } from './seed-file.ts'

export async function describeCollections(
  apis: readonly ServedApi[],
  seedData: string | undefined
): Promise<string[]> {
  const collections = inferCollections(apis)
  if (seedData !== undefined) seedsOfFile(await readSeedFile(seedData), collections)
  return describe(collections)
}

/** `state   /todos: list, create, read, patch, remove`, one line for each. */
export function describe(collections: readonly Collection[]): string[] {
  if (collections.length === 0)
    return ['state   none: no pair of paths such as /things, /things/{id}']
  return collections.map(
    ({ key, actions }) =>
      `${'state'.padEnd(7)} ${key}: ${[...new Set(actions.values())].join(', ')}`
  )
}
