import { ScanTooLong } from './contract.ts'
import { findByIndex, findSortIndex, slicesByIndex, slicesOfFound } from './indexed-slices.ts'
import type { Question, Slices } from './list-query.ts'
import { toCandidate } from './matching.ts'
import type { Pace } from './pace.ts'
import type { Fragment } from './query/fragment.ts'
import { narrow } from './query/narrow.ts'
import { type Position, positionOf } from './query/order.ts'
import type { Sort } from './query/sort-syntax.ts'
import type { Moment, RecordScan, Row, Scope } from './store/scan.ts'

/** Index entries passed over in one statement. */
const JUMP = 10_000
/** Records that one statement may put in order, divided by the number of fields. */
const MAX_SORTED = 200_000

const NO_FIELDS = '{}'

/**
 * Candidates in the order of the question. What the filter cannot be asked in SQL is left to the
 * reader; without a filter, what the question skips is skipped here.
 */
export async function* slicesOf(scan: RecordScan, question: Question, pace: Pace): Slices {
  const { filter, sort } = question
  const [field] = sort
  const found = await findByIndex(scan, question)
  if (found !== undefined) return yield* slicesOfFound(scan, question, found, pace)
  const narrowed = filter && narrow(filter, scan.engine)
  if (sort.length > 1 || field?.system !== '_createdOn') {
    yield* sortedSlices(scan, question, narrowed, pace)
  } else yield* chronologicalSlices(scan, question, field.descending, narrowed, pace)
}

/** A collection of fewer records is put in order faster than a whole index is walked. */
const SMALL_COLLECTION = 2000

async function* sortedSlices(
  scan: RecordScan,
  question: Question,
  narrow: Fragment | undefined,
  pace: Pace
): Slices {
  const { scope, sort } = question
  const index = findSortIndex(question)
  const isSmall =
    index !== undefined &&
    scope.collection !== undefined &&
    (await scan.jump(scope, true, undefined, SMALL_COLLECTION)) === undefined
  if (index === undefined || isSmall) return yield* slicesInOrder(scan, question, narrow, pace)
  const open = yield* slicesByIndex(scan, question, index, pace)
  if (open === undefined) return
  if (open.last === undefined) return yield* slicesInOrder(scan, question, narrow, pace)
  const after = await positionAt(scan, sort, open.last)
  if (after !== undefined) {
    yield* slicesInOrder(scan, { ...question, after, skip: 0 }, narrow, pace)
  }
}

async function* chronologicalSlices(
  scan: RecordScan,
  question: Question,
  descending: boolean,
  narrow: Fragment | undefined,
  pace: Pace
): Slices {
  const { scope, filter, skip, limit } = question
  let after = momentOf(question.after)
  if (filter === undefined && skip > 0) {
    after = await jumpFar(scan, scope, descending, after, skip, pace)
    if (after === undefined) return
  }
  for (;;) {
    const size = filter === undefined ? Math.min(pace.slice, limit + 1) : pace.slice
    // A narrowed slice ends at a known record, or a rare match would be looked for everywhere.
    const until = narrow === undefined ? undefined : await scan.jump(scope, descending, after, size)
    const rows = await scan.readSlice({ scope, descending, after, until, narrow, limit: size })
    yield rows
    after = narrow === undefined ? rows[size - 1] : until
    if (after === undefined) return
    await pace.breathe()
  }
}

function momentOf(position: Position | undefined): Moment | undefined {
  if (position === undefined) return undefined
  return { created: Number(position.keys[0]?.value), pk: position.pk }
}

async function jumpFar(
  scan: RecordScan,
  scope: Scope,
  descending: boolean,
  from: Moment | undefined,
  distance: number,
  pace: Pace
): Promise<Moment | undefined> {
  let after = from
  for (let left = distance; left > 0; left -= JUMP) {
    after = await scan.jump(scope, descending, after, Math.min(left, JUMP))
    if (after === undefined) return undefined
    if (left > JUMP) await pace.breathe()
  }
  return after
}

/** Both engines look at every record for each slice, so there must not be too many. */
async function* slicesInOrder(
  scan: RecordScan,
  question: Question,
  narrow: Fragment | undefined,
  pace: Pace
): Slices {
  const { scope, sort, filter, skip, limit } = question
  const most = Math.floor(MAX_SORTED / sort.length)
  if ((await scan.jump(scope, true, undefined, most + 1)) !== undefined) throw new ScanTooLong()
  let after = question.after
  let offset = filter === undefined ? skip : 0
  for (;;) {
    const size = filter === undefined ? Math.min(pace.slice, limit + 1) : pace.slice
    const rows = await scan.readSorted({ scope, sort, after, offset, narrow, limit: size })
    yield rows
    const last = rows[size - 1]
    if (last === undefined) return
    after = await positionAt(scan, sort, last)
    offset = 0
    await pace.breathe()
  }
}

/** Where a row stands; undefined when it has gone before its text was read. */
export async function positionAt(
  scan: RecordScan,
  sort: Sort,
  row: Row
): Promise<Position | undefined> {
  const needsText = sort.some(({ system }) => system === undefined)
  const raw = needsText ? (row.raw ?? (await scan.readText(row.pk))) : NO_FIELDS
  return raw === undefined ? undefined : positionOf(sort, toCandidate(row, raw))
}

export async function countRecords(scan: RecordScan, scope: Scope, pace: Pace): Promise<number> {
  let counted = 0
  let after: Moment | undefined
  for (;;) {
    const { count, last } = await scan.countSome(scope, after, JUMP)
    counted += count
    if (last === undefined) return counted
    after = last
    await pace.breathe()
  }
}
