import type { Collection } from './collection.ts'

/** One line per collection, such as `state   /todos: list, create, read, patch, remove`. */
export function describeCollections(collections: readonly Collection[]): string[] {
  if (collections.length === 0)
    return ['state   no collections: no pair of paths such as /things, /things/{id}']
  return collections.map(
    ({ key, actions }) =>
      `${'state'.padEnd(7)} ${key}: ${[...new Set(actions.values())].join(', ')}`
  )
}
