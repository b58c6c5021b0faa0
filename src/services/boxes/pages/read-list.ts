import type { ResolvedBox } from '../box/resolve-box.ts'
import type { BoxContext } from '../context.ts'
import { ScanTooLong } from '../contract.ts'
import { listRecords } from '../list/list.ts'
import type { ListQuery } from '../list/list-query.ts'
import { parseListQuery } from '../list/parse-list-query.ts'
import { countRecords, positionAt } from '../list/row-batches.ts'
import { createScanBudget } from '../list/scan-budget.ts'
import { encodeCursor } from '../query/cursor.ts'
import { invalidQuery } from '../query/errors.ts'
import { rejectSlips, tidyExpression } from '../query/q-syntax.ts'
import type { Row } from '../store/scan.ts'
import { checkJson } from '../text/scan.ts'
import type { PageRequest } from './page-request.ts'

/** Records of a page; 20 keep its table below 100 KB of HTML. */
const PAGE_RECORDS = '20'
/** How long matches are counted for the line below the list. */
const COUNT_MS = 400

export interface RecordList {
  /** `raw` is null if the record is long. */
  readonly records: readonly Row[]
  /** Cursor of the next page, with older records; undefined on the last page. */
  readonly cursor: string | undefined
  /** Number of records in the box; undefined if it took too long to count them. */
  readonly total: number | undefined
  /** Number of records that match the filter; undefined without one, or if there are too many. */
  readonly matches: number | undefined
  /** Parameters of the list in the API. */
  readonly parameters: URLSearchParams
}

/** The filter of the page as parameters of the API; throws with the position of a mistake. */
export function filterParameters(q: string): URLSearchParams {
  const typed = q.trim()
  if (typed === '') return new URLSearchParams()
  if (typed.startsWith('{')) {
    requireJson(q)
    return new URLSearchParams({ where: typed })
  }
  rejectSlips(q)
  return new URLSearchParams({ q: tidyExpression(q) })
}

function requireJson(text: string): void {
  try {
    checkJson(text)
  } catch (error) {
    const { message, position = 0 }: { message: string; position?: number } = Object(error)
    const start = Buffer.from(text).subarray(0, position).toString().length
    const at = { start: Math.min(start, text.length - 1), end: text.length }
    throw invalidQuery(message.replace(/ at byte \d+$/, ''), at)
  }
}

export async function readList(
  { store, options }: BoxContext,
  box: ResolvedBox,
  { q, cursor }: PageRequest
): Promise<RecordList> {
  const parameters = filterParameters(q)
  const asked = new URLSearchParams([
    ...parameters,
    ...Object.entries({ limit: PAGE_RECORDS, cursor })
  ])
  const { scan } = store
  const query = parseListQuery(box, asked)
  const budget = createScanBudget(options.scanBudgetMs)
  const { rows, more } = await listRecords(scan, query, false, budget)
  const last = rows.at(-1)
  const position = more && last !== undefined ? await positionAt(scan, query.sort, last) : undefined
  const isAll = query.after === undefined && !more
  const total = await unlessTooLong(countRecords(scan, query.scope, createScanBudget(COUNT_MS)))
  const matches = isAll ? rows.length : await countMatches(scan, query)
  return {
    records: rows,
    cursor: position && encodeCursor(query.sort, position),
    total,
    matches: query.filter === undefined ? undefined : matches,
    parameters
  }
}

async function countMatches(
  scan: BoxContext['store']['scan'],
  query: ListQuery
): Promise<number | undefined> {
  if (query.filter === undefined) return undefined
  const all = { ...query, after: undefined, skip: 0, limit: 0 }
  const counted = unlessTooLong(listRecords(scan, all, true, createScanBudget(COUNT_MS)))
  return (await counted)?.total
}

function unlessTooLong<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error) => {
    if (error instanceof ScanTooLong) return undefined
    throw error
  })
}
