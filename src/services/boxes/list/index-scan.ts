import { isCut, positionKey } from '../query/index-key.ts'
import { chooseIndexes, isSamePath } from '../query/index-ranges.ts'
import { comparePositions, type Position, positionOf } from '../query/order.ts'
import { pathNumber } from '../store/entries.ts'
import type { BoxIndex } from '../store/rules.ts'
import type { RecordScan, Row } from '../store/scan.ts'
import type { IndexPosition } from '../store/scan-entries.ts'
import type { ListQuery, Slices } from './list-query.ts'
import { toCandidate } from './matching.ts'
import type { ScanBudget } from './scan-budget.ts'

/** Maximum number of records read from an index; if it has more, a scan finds matches soon. */
const MAX_FOUND = 2000
/** With at most this many records, no further index is tried. */
const FEW = 50

const NO_FIELDS = '{}'

/** Records that include every match, by all indexes with few enough; undefined without such. */
export async function findByIndex(
  scan: RecordScan,
  { filter, indexes, scope }: ListQuery
): Promise<readonly number[] | undefined> {
  if (filter === undefined || indexes.length === 0) return undefined
  let best: readonly number[] | undefined
  for (const { index, ranges } of chooseIndexes(filter, indexes)) {
    const parts = ranges.map(({ flavour, from, to }) => {
      return { path: pathNumber(index.number, flavour), from, to }
    })
    const found = await scan.findEntries(scope.box, parts, MAX_FOUND + 1)
    if (found.length > MAX_FOUND) continue
    const pks = new Set(found)
    best = best === undefined ? [...pks] : best.filter((pk) => pks.has(pk))
    if (best.length <= FEW) return best
  }
  return best
}

/** The records found by index, in the order of the query. */
export async function* slicesOfFound(
  scan: RecordScan,
  { scope, sort, after }: ListQuery,
  found: readonly number[],
  budget: ScanBudget
): Slices {
  const positioned: { row: Row; position: Position }[] = []
  const needsText = sort.some(({ system }) => system === undefined)
  for (let from = 0; from < found.length; ) {
    const rows = await scan.readRows(scope, found.slice(from, from + budget.slice))
    from += budget.slice
    for (const row of rows) {
      const raw = needsText ? (row.raw ?? (await scan.readText(row.pk))) : NO_FIELDS
      if (raw === undefined) continue
      const position = positionOf(sort, toCandidate(row, raw))
      const isBehind = after === undefined || comparePositions(sort, position, after) > 0
      if (isBehind) positioned.push({ row, position })
    }
    if (from < found.length) await budget.yieldToEventLoop()
  }
  positioned.sort((one, other) => comparePositions(sort, one.position, other.position))
  yield positioned.map(({ row }) => row)
}

/** The index that has the order of the query; undefined if there is none. */
export function findSortIndex({ sort, indexes, scope, skip, filter }: ListQuery) {
  const [field, second] = sort
  if (field === undefined || second !== undefined || field.system !== undefined) return undefined
  // With an offset, the index would also skip records of other collections and expired ones.
  const isForAll = scope.collection === undefined && scope.visibleAt === undefined
  if (filter === undefined && skip > 0 && !isForAll) return undefined
  return indexes.find(({ path }) => isSamePath(path, field.path))
}

/**
 * All records in the order of an index. Ends before strings whose index key is cut, which have no
 * order in the index, and returns the last row, after which the caller has to continue.
 */
export async function* slicesByIndex(
  scan: RecordScan,
  query: ListQuery,
  index: BoxIndex,
  budget: ScanBudget
): AsyncGenerator<readonly Row[], { readonly last: Row | undefined } | undefined, void> {
  const { scope, sort, filter, limit } = query
  const descending = sort[0]?.descending === true
  const walk = { box: scope.box, path: pathNumber(index.number, 'sort'), descending }
  let after = indexPositionOf(query.after)
  let offset = filter === undefined ? query.skip : 0
  let last: Row | undefined
  if (after !== undefined && isCut(after.key)) return { last }
  for (;;) {
    const size = filter === undefined ? Math.min(budget.slice, limit + 1) : budget.slice
    const positions = await scan.walkEntries({ ...walk, after, offset, limit: size })
    if (positions.some(({ key }) => isCut(key))) return { last }
    const rows = new Map<number, Row>()
    for (const row of await scan.readRows(
      scope,
      positions.map(({ rec }) => rec)
    ))
      rows.set(row.pk, row)
    const slice = positions.map(({ rec }) => rows.get(rec)).filter((row) => row !== undefined)
    yield slice
    last = slice.at(-1) ?? last
    after = positions[size - 1]
    offset = 0
    if (after === undefined) return undefined
    await budget.yieldToEventLoop()
  }
}

function indexPositionOf(position: Position | undefined): IndexPosition | undefined {
  const [key] = position?.keys ?? []
  return position && key && { key: positionKey(key), rec: position.pk }
}
