import type { Database } from '../../../kernel/database/database.ts'
import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { queryAutocommit } from '../../../kernel/database/transaction.ts'
import { afterSql } from '../query/cursor.ts'
import type { Fragment } from '../query/fragment.ts'
import type { Position } from '../query/order.ts'
import { orderSql } from '../query/order-sql.ts'
import type { Sort } from '../query/sort-syntax.ts'
import type { StoredRecord } from './record.ts'
import { VISIBLE } from './write.ts'

/** The visible records of a box or collection. */
export interface RecordScope {
  /** Number of the box. */
  readonly box: number
  readonly collection: string | undefined
  /** Time in ms; set only if the box has expired records that are not yet deleted. */
  readonly visibleAt: number | undefined
}

/**
 * A record of a list. `raw` is null if it is long, or if it was dropped to save memory; `readText`
 * reads it when needed.
 */
export interface Row extends Omit<StoredRecord, 'raw'> {
  readonly pk: number
  /** Size of the JSON text in bytes. */
  readonly size: number
  raw: string | null
}

/** A position in the order of creation. */
export interface Moment {
  readonly created: number
  readonly pk: number
}

/** A range of keys of one flavour of an index. */
export interface EntryRange {
  readonly path: number
  readonly from: Uint8Array
  readonly to: Uint8Array
}

/** Position of an entry in an index. */
export interface IndexPosition {
  readonly key: Uint8Array
  readonly rec: number
}

export interface Walk {
  readonly box: number
  readonly path: number
  readonly descending: boolean
  readonly after: IndexPosition | undefined
  readonly offset: number
  readonly limit: number
}

/** Record numbers per statement. */
export const ROWS_AT_ONCE = 25
const PKS = placeholders(ROWS_AT_ONCE)
const ENTRIES = 'select rec from entries where box = ? and path = ? and key >= ? and key < ?'

/** Longer records are not part of a slice, and `readSlice` does not filter them in SQL. */
export const LONG_TEXT_BYTES = 8192

const BARE_COLUMNS = 'pk, id, collection, created, updated, rev, octet_length(raw) as size'
const COLUMNS = `${BARE_COLUMNS}, case when octet_length(raw) <= ${LONG_TEXT_BYTES} then raw end as raw`

/** Records after one moment, up to another one or to a limit. */
export interface Slice {
  readonly scope: RecordScope
  readonly descending: boolean
  readonly after: Moment | undefined
  /** Inclusive; `limit` is ignored if it is set. */
  readonly until: Moment | undefined
  readonly narrow: Fragment | undefined
  readonly limit: number
  readonly withTexts: boolean
}

export interface SortedSlice {
  readonly scope: RecordScope
  readonly sort: Sort
  readonly after: Position | undefined
  readonly offset: number
  readonly narrow: Fragment | undefined
  readonly limit: number
}

export function recordScopeSql({ box, collection, visibleAt }: RecordScope): Fragment {
  return join([
    { sql: 'box = ?', args: [box] },
    collection === undefined ? undefined : { sql: 'collection = ?', args: [collection] },
    visibleAt === undefined ? undefined : { sql: VISIBLE, args: [visibleAt] }
  ])
}

function afterMoment(descending: boolean, moment: Moment | undefined): Fragment | undefined {
  if (moment === undefined) return undefined
  const [wide, strict] = descending ? ['<=', '<'] : ['>=', '>']
  const { created, pk } = moment
  // Both query planners use only the first condition as the end of an index range.
  const sql = `created ${wide} ? and (created, pk) ${strict} (?, ?)`
  return { sql, args: [created, created, pk] }
}

function untilMoment(descending: boolean, moment: Moment | undefined): Fragment | undefined {
  if (moment === undefined) return undefined
  const wide = descending ? '>=' : '<='
  const { created, pk } = moment
  const sql = `created ${wide} ? and (created, pk) ${wide} (?, ?)`
  return { sql, args: [created, created, pk] }
}

/** Passes long records: a filter may cost more on one of them than on a thousand short ones. */
function narrowShort(narrow: Fragment | undefined): Fragment | undefined {
  if (narrow === undefined) return undefined
  return { sql: `(octet_length(raw) > ${LONG_TEXT_BYTES} or (${narrow.sql}))`, args: narrow.args }
}

function join(conditions: readonly (Fragment | undefined)[]): Fragment {
  const given = conditions.filter((condition) => condition !== undefined)
  return {
    sql: given.map(({ sql }) => `(${sql})`).join(' and '),
    args: given.flatMap(({ args }) => args)
  }
}

function select(
  what: string,
  conditions: readonly (Fragment | undefined)[],
  order: Fragment,
  rest: Fragment
): Fragment {
  const { sql, args } = join(conditions)
  return {
    sql: `select ${what} from records where ${sql} order by ${order.sql} ${rest.sql}`,
    args: [...args, ...order.args, ...rest.args]
  }
}

function chronological(descending: boolean): Fragment {
  return { sql: descending ? 'created desc, pk desc' : 'created, pk', args: [] }
}

export function sliceSql(slice: Slice): Fragment {
  const { scope, descending, after, until, narrow, limit, withTexts } = slice
  return select(
    withTexts ? COLUMNS : `${BARE_COLUMNS}, null as raw`,
    [
      recordScopeSql(scope),
      afterMoment(descending, after),
      untilMoment(descending, until),
      narrowShort(narrow)
    ],
    chronological(descending),
    until === undefined ? { sql: 'limit ?', args: [limit] } : { sql: '', args: [] }
  )
}

export function scanRecords(database: Database) {
  const { engine } = database

  function all<T extends object>({ sql, args }: Fragment): Promise<readonly T[]> {
    return database.read(() => queryAutocommit<T>(sql, ...args))
  }

  /** The `count`-th record after a moment; undefined if there are fewer. */
  async function jump(
    scope: RecordScope,
    descending: boolean,
    after: Moment | undefined,
    count: number
  ): Promise<Moment | undefined> {
    const conditions = [recordScopeSql(scope), afterMoment(descending, after)]
    const rest = { sql: 'limit 1 offset ?', args: [count - 1] }
    const [found] = await all<Moment>(
      select('created, pk', conditions, chronological(descending), rest)
    )
    return found
  }

  return {
    engine,
    readSlice: (slice: Slice) => all<Row>(sliceSql(slice)),

    jump,

    /** Sorted by any fields; the engine reads the whole scope. */
    readSorted(slice: SortedSlice): Promise<readonly Row[]> {
      const { scope, sort, after, offset, narrow, limit } = slice
      const conditions = [recordScopeSql(scope), after && afterSql(sort, after, engine), narrow]
      const rest = { sql: 'limit ? offset ?', args: [limit, offset] }
      return all<Row>(select(COLUMNS, conditions, orderSql(sort, engine), rest))
    },

    /** Counts up to `most` records after a moment; `last` is set if there may be more. */
    async countSome(scope: RecordScope, after: Moment | undefined, most: number) {
      const last = await jump(scope, false, after, most)
      if (last !== undefined) return { count: most, last }
      const { sql, args } = join([recordScopeSql(scope), afterMoment(false, after)])
      const [row] = await all<{ count: number }>({
        sql: `select count(*) as count from records where ${sql}`,
        args
      })
      return { count: row?.count ?? 0, last }
    },

    async readRow(pk: number): Promise<Row | undefined> {
      const [row] = await all<Row>({
        sql: `select ${COLUMNS} from records where pk = ?`,
        args: [pk]
      })
      return row
    },

    /** The records with these numbers that are in the scope, in no particular order. */
    async readRows(scope: RecordScope, pks: readonly number[]): Promise<Row[]> {
      const rows: Row[] = []
      for (const some of fullGroupsOf(pks, ROWS_AT_ONCE)) {
        const { sql, args } = join([{ sql: `pk in (${PKS})`, args: some }, recordScopeSql(scope)])
        // The unary plus keeps SQLite from using an index of the whole box.
        const exact = sql.replace('(box = ?)', '(+box = ?)')
        rows.push(
          ...(await all<Row>({ sql: `select ${COLUMNS} from records where ${exact}`, args }))
        )
      }
      return rows
    },

    /** Numbers of at most `most` records that an index has in these ranges. */
    async findEntries(box: number, ranges: readonly EntryRange[], most: number) {
      const parts = ranges.map(() => ENTRIES).join(' union all ')
      const args = ranges.flatMap(({ path, from, to }) => [box, path, from, to])
      const sql = `select rec from (${parts}) found limit ?`
      const found = await all<{ rec: number }>({ sql, args: [...args, most] })
      return found.map(({ rec }) => rec)
    },

    /** The next entries of an index in its order. */
    walkEntries({ box, path, descending, after, offset, limit }: Walk) {
      const sign = descending ? '<' : '>'
      const behind = after && { sql: `(key, rec) ${sign} (?, ?)`, args: [after.key, after.rec] }
      const { sql, args } = join([{ sql: 'box = ? and path = ?', args: [box, path] }, behind])
      const order = descending ? 'key desc, rec desc' : 'key, rec'
      return all<IndexPosition>({
        sql: `select key, rec from entries where ${sql} order by ${order} limit ? offset ?`,
        args: [...args, limit, offset]
      })
    },

    async readText(pk: number): Promise<string | undefined> {
      const [row] = await all<{ raw: string }>({
        sql: 'select raw from records where pk = ?',
        args: [pk]
      })
      return row?.raw
    }
  }
}

export type RecordScan = ReturnType<typeof scanRecords>
