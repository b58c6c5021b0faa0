import type { Collection } from './collection.ts'
import type { Seeds } from './seeds.ts'

/** A collection below a record, and its initial records there. */
export interface RecordsBelow {
  collection: string
  seeded: readonly { parents: string[]; id: string }[]
}

/** What is removed together with the record that has these ids: those of its parents and its own. */
export function recordsBelow(
  seeds: Seeds,
  collection: Collection,
  ids: readonly string[]
): RecordsBelow[] {
  return descendants(collection).map((child) => ({
    collection: child.key,
    seeded: seeds
      .parentsWithSeeds(child)
      .filter((one) => ids.every((id, index) => one[index] === id))
      .flatMap((one) =>
        [...seeds.at(child, one).keys()].map((seeded) => ({ parents: [...one], id: seeded }))
      )
  }))
}

function descendants({ children }: Collection): Collection[] {
  return children.flatMap((child) => [child, ...descendants(child)])
}
