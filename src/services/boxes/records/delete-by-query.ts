import type { ResolvedBox } from '../box/resolve-box.ts'
import { keepMatches } from '../list/matching.ts'
import { slicesOf } from '../list/row-batches.ts'
import type { ScanBudget } from '../list/scan-budget.ts'
import type { Filter } from '../query/filter.ts'
import { parseSort } from '../query/sort-syntax.ts'
import type { Access } from '../store/indexes.ts'
import type { Row } from '../store/scan.ts'
import type { BoxStore } from '../store/store.ts'

/** Oldest first, so that records created meanwhile are at the end. */
const SORT = parseSort('_createdOn')

/** Deletes the matches in the scope; each record still matches when it is deleted. */
export async function removeMatches(
  store: BoxStore,
  { box, key }: Access,
  { scope, indexes }: ResolvedBox,
  filter: Filter,
  budget: ScanBudget
): Promise<number> {
  const { scan } = store
  await store.checkAccess(box, key)
  const query = { scope, indexes, filter, sort: SORT, after: undefined, skip: 0, limit: 0 }
  let removed = 0
  for await (const slice of slicesOf(scan, query, budget)) {
    let found = await keepMatches(scan, slice, filter, budget)
    while (found.length > 0) {
      const gone = await store.removeVersions(box, key, found)
      removed += gone.size
      // Records that were changed in between are read and tested again.
      const left = found.filter(({ pk }) => !gone.has(pk))
      found = await keepMatches(scan, await readAgain(store, left), filter, budget)
    }
  }
  return removed
}

async function readAgain({ scan }: BoxStore, rows: readonly Row[]): Promise<Row[]> {
  const found = await Promise.all(rows.map(({ pk }) => scan.readRow(pk)))
  return found.filter((row) => row !== undefined)
}
