import type { Database } from '../../../kernel/database/database.ts'
import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { queryAutocommit } from '../../../kernel/database/transaction.ts'
import { afterSql } from '../query/cursor.ts'
import { allOf, type Fragment } from '../query/fragment.ts'
import type { Position } from '../query/order.ts'
import { orderSql } from '../query/order-sql.ts'
import type { Sort } from '../query/sort-syntax.ts'
import { belowSql, type DescendingReader, equalSql, readDescending } from './descending.ts'
import type { StoredRecord } from './record.ts'
import { scanEntries } from './scan-entries.ts'
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
  /** Of the end of a slice: whether all its records are of one time. */
  readonly isOneTime?: boolean
}

const MAX_REMEMBERED = 10_000

/** Record numbers per statement. */
export const ROWS_AT_ONCE = 25
const PKS = placeholders(ROWS_AT_ONCE)

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
  return allOf([
    { sql: 'box = ?', args: [box] },
    collection === undefined ? undefined : { sql: 'collection = ?', args: [collection] },
    visibleAt === undefined ? undefined : { sql: VISIBLE, args: [visibleAt] }
  ])
}

/** Records of one time are in the order of insertion in both directions. */
function afterMoment(descending: boolean, moment: Moment | undefined): Fragment | undefined {
  if (moment === undefined) return undefined
  const { created, pk } = moment
  // Both query planners use only the first condition as the end of an index range.
  const sql = descending
    ? 'created <= ? and (created < ? or pk > ?)'
    : 'created >= ? and (created, pk) > (?, ?)'
  return { sql, args: [created, created, pk] }
}

function untilMoment(descending: boolean, moment: Moment | undefined): Fragment | undefined {
  if (moment === undefined) return undefined
  const { created, pk } = moment
  const sql = descending
    ? 'created >= ? and (created > ? or pk <= ?)'
    : 'created <= ? and (created, pk) <= (?, ?)'
  return { sql, args: [created, created, pk] }
}

/** The range of an index if all records are of one time. */
function withinMoment(
  after: Moment | undefined,
  until: Moment | undefined
): [Fragment] | undefined {
  if (until === undefined) return undefined
  const { created, pk, isOneTime } = until
  const above = after?.created === created ? after.pk : undefined
  if (above === undefined && !isOneTime) return undefined
  const { sql, args } = equalSql('created', created, 'pk', above)
  return [{ sql: `${sql} and pk <= ?`, args: [...args, pk] }]
}

/** Passes long records: a filter may cost more on one of them than on a thousand short ones. */
function narrowShort(narrow: Fragment | undefined): Fragment | undefined {
  if (narrow === undefined) return undefined
  return { sql: `(octet_length(raw) > ${LONG_TEXT_BYTES} or (${narrow.sql}))`, args: narrow.args }
}

function select(
  what: string,
  conditions: readonly (Fragment | undefined)[],
  order: Fragment,
  rest: Fragment
): Fragment {
  const { sql, args } = allOf(conditions)
  return {
    sql: `select ${what} from records where ${sql} order by ${order.sql} ${rest.sql}`,
    args: [...args, ...order.args, ...rest.args]
  }
}

const BY_NUMBER: Fragment = { sql: 'pk', args: [] }

function chronological(descending: boolean): Fragment {
  return { sql: descending ? 'created desc, pk' : 'created, pk', args: [] }
}

function columnsOf({ withTexts }: Slice): string {
  return withTexts ? COLUMNS : `${BARE_COLUMNS}, null as raw`
}

function sliceSql(slice: Slice): Fragment {
  const { scope, descending, after, until, narrow, limit } = slice
  const ends = [afterMoment(descending, after), untilMoment(descending, until)]
  return select(
    columnsOf(slice),
    [recordScopeSql(scope), ...(withinMoment(after, until) ?? ends), narrowShort(narrow)],
    chronological(descending),
    until === undefined ? { sql: 'limit ?', args: [limit] } : { sql: '', args: [] }
  )
}

/** A part of a slice without an end. */
function partSql(
  slice: Slice,
  where: Fragment | undefined,
  order: string,
  limit: number
): Fragment {
  const conditions = [recordScopeSql(slice.scope), where, narrowShort(slice.narrow)]
  const rest = { sql: 'limit ?', args: [limit] }
  return select(columnsOf(slice), conditions, { sql: order, args: [] }, rest)
}

/** Records of the newest time, or of the newest one below another. */
function newestSql(within: Fragment, below?: number): Fragment {
  const { sql, args } = allOf([within, belowSql('created', below)])
  return { sql: `created = (select max(created) from records where ${sql})`, args }
}

export function scanRecords(database: Database) {
  const { engine } = database
  /** Numbers of boxes whose newest records have one time; only the speed depends on it. */
  const filledAtOnce = new Set<number>()

  function all<T extends object>({ sql, args }: Fragment): Promise<readonly T[]> {
    return database.read(() => queryAutocommit<T>(sql, ...args))
  }

  function rememberFilledAtOnce(box: number): void {
    if (filledAtOnce.size >= MAX_REMEMBERED) filledAtOnce.clear()
    filledAtOnce.add(box)
  }

  /** The `count`-th record after a moment; undefined if there are fewer. */
  async function jump(
    scope: RecordScope,
    descending: boolean,
    after: Moment | undefined,
    count: number
  ): Promise<Moment | undefined> {
    const rest = { sql: 'limit 1 offset ?', args: [count - 1] }
    const find = async (behind: Fragment | undefined, order: Fragment) => {
      const conditions = [recordScopeSql(scope), behind]
      const [found] = await all<Moment>(select('created, pk', conditions, order, rest))
      return found
    }
    // Within one time an index has the order; otherwise all records of that time are sorted.
    const near = descending && after && equalSql('created', after.created, 'pk', after.pk)
    const found = near && (await find(near, BY_NUMBER))
    return found || find(afterMoment(descending, after), chronological(descending))
  }

  /**
   * Where a slice of at most `count` records ends; undefined if no more than these are left. In a box
   * that was filled with arrays it ends with a time, because an index has the order within one time:
   * otherwise all records of a time are sorted, and a search through the box takes 10 % more CPU.
   */
  async function endOfSlice(
    scope: RecordScope,
    descending: boolean,
    after: Moment | undefined,
    count: number
  ): Promise<Moment | undefined> {
    if (!descending) return jump(scope, descending, after, count)
    const isFilled = filledAtOnce.has(scope.box)
    const end = isFilled ? await endOfTime(scope, after, count) : undefined
    if (end !== undefined) return { ...end, isOneTime: true }
    if (after !== undefined) return jump(scope, descending, after, count)
    if (isFilled) filledAtOnce.delete(scope.box)
    return jumpFromNewest(scope, count)
  }

  /** Within the time of `after`, or, if it has no more records, within the next one. */
  async function endOfTime(
    scope: RecordScope,
    after: Moment | undefined,
    count: number
  ): Promise<Moment | undefined> {
    const within = recordScopeSql(scope)
    const rest = { sql: 'limit 1 offset ?', args: [count - 1] }
    const newest = newestSql(within, after?.created)
    const find = (...conditions: Fragment[]) =>
      select('created, pk', [within, newest, ...conditions], BY_NUMBER, rest)
    if (after === undefined) return (await all<Moment>(find()))[0]
    const same = allOf([within, equalSql('created', after.created, 'pk', after.pk)])
    const near = {
      sql: `select created, pk from records where ${same.sql} order by pk limit ?`,
      args: [...same.args, count]
    }
    const next = find({
      sql: `not exists (select 1 from records where ${same.sql})`,
      args: same.args
    })
    // One statement, because each of them takes 0.1 ms of CPU on PostgreSQL.
    const [found] = await all<Moment>({
      sql: `select created, pk from (select created, pk from (${near.sql}) near union all select created, pk from (${next.sql}) next) ends order by pk desc limit 1`,
      args: [...near.args, ...next.args]
    })
    return found
  }

  async function jumpFromNewest(scope: RecordScope, count: number): Promise<Moment | undefined> {
    const within = recordScopeSql(scope)
    const newest = `(select max(created) from records where ${within.sql}) as newest`
    const rest = { sql: 'limit 1 offset ?', args: [count - 1] }
    const { sql, args } = select(`created, pk, ${newest}`, [within], chronological(true), rest)
    const [found] = await all<Moment & { newest: number }>({ sql, args: [...within.args, ...args] })
    if (found === undefined) return undefined
    const { created, pk } = found
    const isOneTime = created === found.newest
    if (isOneTime && count > 1) rememberFilledAtOnce(scope.box)
    return { created, pk, isOneTime }
  }

  /**
   * A box that was filled with arrays is read by its newest time at once: without this, its list
   * would read as many records twice, and takes a fifth more CPU.
   */
  async function readSlice(slice: Slice): Promise<readonly Row[]> {
    const { scope, after, limit } = slice
    const isFirst = after === undefined && slice.narrow === undefined
    if (isFirst && filledAtOnce.has(scope.box)) {
      const rows = await all<Row>(partSql(slice, newestSql(recordScopeSql(scope)), 'pk', limit))
      if (rows.length === limit) return rows
      filledAtOnce.delete(scope.box)
    }
    const rows = await readNewest(slice)
    const isOneTime = rows.length === limit && rows[0]?.created === rows[limit - 1]?.created
    if (isFirst && isOneTime && limit > 1) rememberFilledAtOnce(scope.box)
    return rows
  }

  function readNewest(slice: Slice): Promise<readonly Row[]> {
    const { after, limit } = slice
    const reader: DescendingReader<Row, number> = {
      isEqual: (one, other) => one.created === other.created,
      keyOf: ({ created }) => created,
      readEqual: (created, above, most) =>
        all<Row>(partSql(slice, equalSql('created', created, 'pk', above), 'pk', most)),
      readBelow: (created, most) =>
        all<Row>(partSql(slice, belowSql('created', created), 'created desc, pk desc', most))
    }
    const from = after && { key: after.created, number: after.pk }
    return readDescending(reader, { after: from, limit })
  }

  return {
    engine,
    ...scanEntries(all),
    readSlice(slice: Slice): Promise<readonly Row[]> {
      // A slice with an end is small, so that it can be sorted.
      const isSorted = !slice.descending || slice.until !== undefined
      return isSorted ? all<Row>(sliceSql(slice)) : readSlice(slice)
    },

    jump,
    endOfSlice,

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
      const { sql, args } = allOf([recordScopeSql(scope), afterMoment(false, after)])
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
        const { sql, args } = allOf([{ sql: `pk in (${PKS})`, args: some }, recordScopeSql(scope)])
        // The unary plus keeps SQLite from using an index of the whole box.
        const exact = sql.replace('(box = ?)', '(+box = ?)')
        rows.push(
          ...(await all<Row>({ sql: `select ${COLUMNS} from records where ${exact}`, args }))
        )
      }
      return rows
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
