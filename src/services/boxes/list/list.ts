import type { RecordScan, Row } from '../store/scan.ts'
import type { ListQuery } from './list-query.ts'
import { keepMatches } from './matching.ts'
import { dropTexts, STREAMED_BYTES, sizeOf, withoutText } from './read-records.ts'
import { countRecords, slicesOf } from './row-batches.ts'
import type { ScanBudget } from './scan-budget.ts'

export interface Listing {
  /** Without texts if they are long together. */
  readonly rows: Row[]
  /** Whether more matches follow. */
  readonly more: boolean
  /** Number of all matches; undefined if they were not counted. */
  readonly total: number | undefined
}

export async function listRecords(
  scan: RecordScan,
  query: ListQuery,
  count: boolean,
  budget: ScanBudget
): Promise<Listing> {
  const { filter, scope, limit } = query
  // Without a filter, `slicesOf` applies `skip` and `countRecords` counts in the index.
  const skip = filter === undefined ? 0 : query.skip
  const toTheEnd = count && filter !== undefined
  let rows: Row[] = []
  let bytes = 0
  let matched = 0
  for await (const slice of slicesOf(scan, query, budget)) {
    const found = filter === undefined ? slice : await keepMatches(scan, slice, filter, budget)
    const from = Math.max(0, skip - matched)
    const taken = found.slice(from, from + limit - rows.length)
    const wasLong = bytes > STREAMED_BYTES
    bytes += sizeOf(taken)
    const isLong = bytes > STREAMED_BYTES
    if (isLong && !wasLong) rows = rows.map(withoutText)
    rows.push(...(isLong ? taken.map(withoutText) : taken))
    if (isLong && filter === undefined) budget.readsTexts = false
    if (sizeOf(slice) > STREAMED_BYTES) dropTexts(slice, isLong ? undefined : new Set(taken))
    matched += found.length
    if (matched > skip + limit && !toTheEnd) break
  }
  const more = matched > skip + limit
  if (!count) return { rows, more, total: undefined }
  return { rows, more, total: toTheEnd ? matched : await countRecords(scan, scope, budget) }
}
