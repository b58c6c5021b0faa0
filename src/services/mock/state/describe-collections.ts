import type { Collection } from './collection.ts'

/** `state   /todos: list, create, read, patch, remove`, one line for each. */
export function describeCollections(collections: readonly Collection[]): string[] {
  if (collections.length === 0)
    return ['state   no collections: no pair of paths such as /things, /things/{id}']
  return collections.map(
    ({ key, actions }) =>
      `${'state'.padEnd(7)} ${key}: ${[...new Set(actions.values())].join(', ')}`
  )
}
