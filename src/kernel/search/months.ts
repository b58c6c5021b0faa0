import { query, type Transaction } from '../database/transaction.ts'
import type { SearchDocument } from './document.ts'
import type { SearchQuery } from './query.ts'

/** Inclusive. */
export interface SortKeyRange {
  first: string
  last: string
}

/**
 * Range of the sort keys that documents of each month had. Documents of a time are then searched
 * in few keys, however the keys relate to time. Removed documents do not narrow a range.
 */
export function* extendMonths(
  table: string,
  documents: readonly SearchDocument[]
): Transaction<void> {
  const months = `${table}_months`
  for (const [month, { first, last }] of monthRanges(documents)) {
    yield* query(
      `insert into ${months} (month, first_key, last_key) values (?, ?, ?) on conflict (month) do update set
       first_key = case when excluded.first_key < ${months}.first_key then excluded.first_key else ${months}.first_key end,
       last_key = case when excluded.last_key > ${months}.last_key then excluded.last_key else ${months}.last_key end
       where excluded.first_key < ${months}.first_key or excluded.last_key > ${months}.last_key`,
      ...[month, first, last]
    )
  }
}

function monthRanges(documents: readonly SearchDocument[]): Map<number, SortKeyRange> {
  const ranges = new Map<number, SortKeyRange>()
  for (const { sortKey, time } of documents) {
    const month = monthOf(time)
    const { first, last } = ranges.get(month) ?? { first: sortKey, last: sortKey }
    ranges.set(month, {
      first: sortKey < first ? sortKey : first,
      last: sortKey > last ? sortKey : last
    })
  }
  return ranges
}

/** The range of sort keys of all documents of these times; undefined without such documents. */
export function* sortKeysOf(
  table: string,
  { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: SearchQuery
): Transaction<SortKeyRange | undefined> {
  const [range] = yield* query<{ first: string | null; last: string | null }>(
    `select (select min(first_key) from ${table}_months where month >= ?) as first,
     (select max(last_key) from ${table}_months where month <= ?) as last`,
    ...[monthOf(since), monthOf(until)]
  )
  const { first = null, last = null } = range ?? {}
  return first === null || last === null ? undefined : { first, last }
}

/** Months since year 0, limited to what a date can express. */
function monthOf(time: number): number {
  const date = new Date(Math.min(Math.max(time, -MAX_TIME), MAX_TIME))
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** Of `Date`. */
const MAX_TIME = 8_640_000_000_000_000
