import type { Engine } from '../database/database.ts'
import { query, type Transaction } from '../database/transaction.ts'
import { EVERY_DOCUMENT, indexWord, labelWord } from './index-words.ts'
import { type SortKeyRange, sortKeysOf } from './months.ts'
import type { SearchQuery, SearchTerm } from './query.ts'
import { LAST_SORT_KEY, requireSortKey } from './table.ts'

/** PostgreSQL reads so many documents before it uses the index of words. */
const MAX_READ_FIRST = 1_000
const FIRST_SORT_KEY = '0'.repeat(19)

export interface SearchPage {
  limit: number
  /** Only documents with lower sort keys: the cursor of the page before. */
  before?: string | undefined
}

export interface SearchResult {
  /** Newest first. */
  sortKeys: readonly string[]
  /** `before` of the next page; undefined if this is the last one. */
  next: string | undefined
}

interface Condition extends SortKeyRange {
  table: string
  query: SearchQuery
  limit: number
}

interface Found {
  sort_key: string
}

/** The newest documents that match. */
export function* findDocuments(
  engine: Engine,
  table: string,
  searchQuery: SearchQuery,
  { limit, before }: SearchPage
): Transaction<SearchResult> {
  const range = yield* rangeOf(table, searchQuery, before)
  if (range === undefined) return { sortKeys: [], next: undefined }
  // One more than asked for shows whether there is a next page.
  const condition = { table, query: searchQuery, limit: limit + 1, ...range }
  const found = yield* engine === 'sqlite' ? findInSqlite(condition) : findInPostgres(condition)
  const sortKeys = found.slice(0, limit).map((row) => row.sort_key)
  return { sortKeys, next: found.length > limit ? sortKeys.at(-1) : undefined }
}

/**
 * A condition of a statement that all documents which match meet, for results in another order.
 * Words and labels count, dates do not.
 */
export function matchingDocuments(
  engine: Engine,
  table: string,
  searchQuery: SearchQuery,
  sortKey: string
): { sql: string; args: readonly string[] } {
  if (engine === 'postgres') {
    const found = `select sort_key from ${table} where vector @@ ?::tsquery`
    return { sql: `${sortKey} in (${found})`, args: [textQuery(searchQuery)] }
  }
  const index = `${table}_index`
  const found = `select printf('%019d', rowid) from ${index} where ${index} match ?`
  return { sql: `${sortKey} in (${found})`, args: [matchExpression(searchQuery)] }
}

function* rangeOf(
  table: string,
  searchQuery: SearchQuery,
  before: string | undefined
): Transaction<SortKeyRange | undefined> {
  const hasDates = searchQuery.since !== undefined || searchQuery.until !== undefined
  const range = hasDates
    ? yield* sortKeysOf(table, searchQuery)
    : { first: FIRST_SORT_KEY, last: LAST_SORT_KEY }
  if (before === undefined || range === undefined) return range
  requireSortKey(before)
  if (before === FIRST_SORT_KEY) return undefined
  const lastBefore = String(BigInt(before) - 1n).padStart(FIRST_SORT_KEY.length, '0')
  return { ...range, last: lastBefore < range.last ? lastBefore : range.last }
}

/** The index yields rows in descending order, so it stops after the limit. */
function* findInSqlite(condition: Condition): Transaction<readonly Found[]> {
  const { table, first, last, limit } = condition
  const index = `${table}_index`
  const key = `printf('%019d', ${index}.rowid)`
  const times = timeCondition(
    `(select time from ${table} where sort_key = ${key})`,
    condition.query
  )
  return yield* query<Found>(
    `select ${key} as sort_key from ${index} where ${index} match ?
     and rowid between cast(? as integer) and cast(? as integer)${times.sql} order by rowid desc limit ?`,
    ...[matchExpression(condition.query), first, last, ...times.args, limit]
  )
}

/**
 * The newest documents are compared one by one: if a word is in many documents, these are enough,
 * and all that have it need not be sorted. Otherwise the index finds all; they are few, unless
 * they are much less frequent among the newest.
 */
function* findInPostgres(condition: Condition): Transaction<readonly Found[]> {
  const { table, first, last, limit } = condition
  const times = timeCondition('time', condition.query)
  const text = textQuery(condition.query)
  const order = `${times.sql} order by sort_key desc limit ?`
  const found = yield* query<Found>(
    `select sort_key from (${newestIn(table)}) as newest
     where vector @@ ?::tsquery and sort_key >= ?${order}`,
    ...[last, text, first, ...times.args, limit]
  )
  if (found.length === limit) return found
  return yield* query<Found>(
    `select sort_key from (${matchesIn(table)}) as matches where sort_key between ? and ?${order}`,
    ...[text, first, last, ...times.args, limit]
  )
}

/** With a lower bound too, the planner would expect few rows and sort all. */
function newestIn(table: string): string {
  return `select sort_key, time, vector from ${table} where sort_key <= ?
    order by sort_key desc limit ${MAX_READ_FIRST}`
}

/** The offset keeps other conditions and the order out, for which the planner would read all rows. */
function matchesIn(table: string): string {
  return `select sort_key, time from ${table} where vector @@ ?::tsquery offset 0`
}

function timeCondition(
  time: string,
  { since, until }: SearchQuery
): { sql: string; args: readonly number[] } {
  if (since === undefined && until === undefined) return { sql: '', args: [] }
  const bounds = [since ?? Number.MIN_SAFE_INTEGER, until ?? Number.MAX_SAFE_INTEGER]
  return { sql: ` and ${time} between ? and ?`, args: bounds }
}

/** For FTS5; words consist of ASCII letters and digits. */
function matchExpression({ required, excluded }: SearchQuery): string {
  const phrase = (term: SearchTerm) => `"${storedWords(term).join(' ')}"`
  const all = required.length === 0 ? [EVERY_DOCUMENT] : required.map(phrase)
  return [all.join(' AND '), ...excluded.map(phrase)].join(' NOT ')
}

function textQuery({ required, excluded }: SearchQuery): string {
  const phrase = (term: SearchTerm) => `(${storedWords(term).join(' <-> ')})`
  const all = required.length === 0 ? [EVERY_DOCUMENT] : required.map(phrase)
  return [...all, ...excluded.map((term) => `!${phrase(term)}`)].join(' & ')
}

function storedWords(term: SearchTerm): readonly string[] {
  return term.kind === 'label' ? [labelWord(term.name, term.value)] : term.words.map(indexWord)
}
