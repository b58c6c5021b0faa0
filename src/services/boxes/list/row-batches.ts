import { ScanTooLong } from '../contract.ts'
import type { Fragment } from '../query/fragment.ts'
import { narrow } from '../query/narrow.ts'
import { type Position, positionOf } from '../query/order.ts'
import type { Sort } from '../query/sort-syntax.ts'
import type { Moment, RecordScan, RecordScope, Row } from '../store/scan.ts'
import { findByIndex, findSortIndex, slicesByIndex, slicesOfFound } from './index-scan.ts'
import type { ListQuery, Slices } from './list-query.ts'
import { toCandidate } from './matching.ts'
import type { ScanBudget } from './scan-budget.ts'

/** Maximum number of index entries skipped or counted in one statement. */
const JUMP = 10_000
/** Maximum number of records sorted in one statement, divided by the number of fields. */
const MAX_SORTED = 200_000

/**
 * Number of records in the first slice without a filter: their texts are read even if they turn out
 * to be too long to be kept.
 */
const FIRST_SLICE = 100

/**
 * Maximum number of records in a slice that PostgreSQL pre-filters, which does not block this process.
 * With 500, twice as many statements are needed, and a search takes a tenth more CPU.
 */
const MAX_NARROWED_SLICE = 1000

const NO_FIELDS = '{}'

/**
 * Rows in the requested order. SQL only pre-filters; the caller applies the full filter. Without a
 * filter, `skip` is applied here.
 */
export async function* slicesOf(scan: RecordScan, query: ListQuery, budget: ScanBudget): Slices {
  if (query.filter === undefined) budget.slice = FIRST_SLICE
  for await (const rows of readSlices(scan, query, budget)) {
    // A wait for PostgreSQL would make the slices of a busy service smaller, and their number larger.
    if (scan.engine === 'postgres') budget.startSlice()
    yield rows
  }
}

async function* readSlices(scan: RecordScan, query: ListQuery, budget: ScanBudget): Slices {
  const { filter, sort } = query
  const [field] = sort
  const found = await findByIndex(scan, query)
  if (found !== undefined) return yield* slicesOfFound(scan, query, found, budget)
  const narrowed = filter && narrow(filter, scan.engine)
  if (narrowed !== undefined && scan.engine === 'postgres') budget.maxSlice = MAX_NARROWED_SLICE
  if (sort.length > 1 || field?.system !== '_createdOn') {
    yield* sortedSlices(scan, query, narrowed, budget)
  } else yield* chronologicalSlices(scan, query, field.descending, narrowed, budget)
}

/** Sorting a collection with fewer records is faster than walking the index of the box. */
const SMALL_COLLECTION = 2000

async function* sortedSlices(
  scan: RecordScan,
  query: ListQuery,
  narrow: Fragment | undefined,
  budget: ScanBudget
): Slices {
  const { scope, sort } = query
  const index = findSortIndex(query)
  const isSmall =
    index !== undefined &&
    scope.collection !== undefined &&
    (await scan.jump(scope, false, undefined, SMALL_COLLECTION)) === undefined
  if (index === undefined || isSmall) return yield* slicesInOrder(scan, query, narrow, budget)
  const open = yield* slicesByIndex(scan, query, index, budget)
  if (open === undefined) return
  if (open.last === undefined) return yield* slicesInOrder(scan, query, narrow, budget)
  const after = await positionAt(scan, sort, open.last)
  if (after !== undefined) {
    yield* slicesInOrder(scan, { ...query, after, skip: 0 }, narrow, budget)
  }
}

async function* chronologicalSlices(
  scan: RecordScan,
  query: ListQuery,
  descending: boolean,
  narrow: Fragment | undefined,
  budget: ScanBudget
): Slices {
  const { scope, filter, skip, limit } = query
  let after = momentOf(query.after)
  if (filter === undefined && skip > 0) {
    after = await jumpFar(scan, scope, descending, after, skip, budget)
    if (after === undefined) return
  }
  for (;;) {
    const size = filter === undefined ? Math.min(budget.slice, limit + 1) : budget.slice
    // A narrowed slice ends at a known record, so that a rare match does not scan the whole box.
    const until =
      narrow === undefined ? undefined : await scan.endOfSlice(scope, descending, after, size)
    const { readsTexts: withTexts } = budget
    const slice = { scope, descending, after, until, narrow, withTexts, limit: size }
    const rows = await scan.readSlice(slice)
    yield rows
    after = narrow === undefined ? rows[size - 1] : until
    if (after === undefined) return
    await budget.yieldToEventLoop()
  }
}

function momentOf(position: Position | undefined): Moment | undefined {
  if (position === undefined) return undefined
  return { created: Number(position.keys[0]?.value), pk: position.pk }
}

async function jumpFar(
  scan: RecordScan,
  scope: RecordScope,
  descending: boolean,
  from: Moment | undefined,
  distance: number,
  budget: ScanBudget
): Promise<Moment | undefined> {
  let after = from
  for (let left = distance; left > 0; left -= JUMP) {
    after = await scan.jump(scope, descending, after, Math.min(left, JUMP))
    if (after === undefined) return undefined
    if (left > JUMP) await budget.yieldToEventLoop()
  }
  return after
}

/** Both engines read every record for each slice, so the number of records is limited. */
async function* slicesInOrder(
  scan: RecordScan,
  query: ListQuery,
  narrow: Fragment | undefined,
  budget: ScanBudget
): Slices {
  const { scope, sort, filter, skip, limit } = query
  const most = Math.floor(MAX_SORTED / sort.length)
  if ((await scan.jump(scope, false, undefined, most + 1)) !== undefined) throw new ScanTooLong()
  let after = query.after
  let offset = filter === undefined ? skip : 0
  for (;;) {
    const size = filter === undefined ? Math.min(budget.slice, limit + 1) : budget.slice
    const rows = await scan.readSorted({ scope, sort, after, offset, narrow, limit: size })
    yield rows
    const last = rows[size - 1]
    if (last === undefined) return
    after = await positionAt(scan, sort, last)
    offset = 0
    await budget.yieldToEventLoop()
  }
}

/** Position of a row in the sort order; undefined if the record was deleted meanwhile. */
export async function positionAt(
  scan: RecordScan,
  sort: Sort,
  row: Row
): Promise<Position | undefined> {
  const needsText = sort.some(({ system }) => system === undefined)
  const raw = needsText ? (row.raw ?? (await scan.readText(row.pk))) : NO_FIELDS
  return raw === undefined ? undefined : positionOf(sort, toCandidate(row, raw))
}

export async function countRecords(
  scan: RecordScan,
  scope: RecordScope,
  budget: ScanBudget
): Promise<number> {
  let counted = 0
  let after: Moment | undefined
  for (;;) {
    const { count, last } = await scan.countSome(scope, after, JUMP)
    counted += count
    if (last === undefined) return counted
    after = last
    await budget.yieldToEventLoop()
  }
}
