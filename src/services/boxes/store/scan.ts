import type { Database } from '../../../kernel/database/database.ts'
import { queryAlone } from '../../../kernel/database/plan.ts'
import { afterSql } from '../query/cursor.ts'
import type { Fragment } from '../query/fragment.ts'
import type { Position } from '../query/order.ts'
import { orderSql } from '../query/order-sql.ts'
import type { Sort } from '../query/sort-syntax.ts'
import type { StoredRecord } from './record.ts'

/** The records that a path names. */
export interface Scope {
  readonly box: string
  readonly collection: string | undefined
}

/** A record on its way through a list; a long text is fetched when it is needed. */
export interface Row extends Omit<StoredRecord, 'raw'> {
  readonly pk: number
  /** Bytes of the text. */
  readonly size: number
  readonly raw: string | null
}

/** A place in the order of creation. */
export interface Moment {
  readonly created: number
  readonly pk: number
}

/** Texts above it do not ride along with a slice, nor does SQL look into them. */
export const LONG_TEXT_BYTES = 8192

const COLUMNS =
  'pk, id, collection, created, updated, rev, octet_length(raw) as size, ' +
  `case when octet_length(raw) <= ${LONG_TEXT_BYTES} then raw end as raw`

/** Behind one moment, up to another one or to a limit. */
export interface Slice {
  readonly scope: Scope
  readonly descending: boolean
  readonly after: Moment | undefined
  /** Included; the limit does not count then. */
  readonly until: Moment | undefined
  readonly narrow: Fragment | undefined
  readonly limit: number
}

export interface SortedSlice {
  readonly scope: Scope
  readonly sort: Sort
  readonly after: Position | undefined
  readonly offset: number
  readonly narrow: Fragment | undefined
  readonly limit: number
}

export function scopeSql({ box, collection }: Scope): Fragment {
  const sql = 'box = (select pk from boxes where id = ?)'
  return collection === undefined
    ? { sql, args: [box] }
    : { sql: `${sql} and collection = ?`, args: [box, collection] }
}

function afterMoment(descending: boolean, moment: Moment | undefined): Fragment | undefined {
  if (moment === undefined) return undefined
  const [wide, strict] = descending ? ['<=', '<'] : ['>=', '>']
  const { created, pk } = moment
  // The first half alone is what both planners take as the end of an index range.
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

/** A filter may cost more on one long text than on a thousand short ones, so it waits for us. */
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
  const { scope, descending, after, until, narrow, limit } = slice
  return select(
    COLUMNS,
    [
      scopeSql(scope),
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
    return database.read(() => queryAlone<T>(sql, ...args))
  }

  /** The `count`-th record from a moment on; undefined when there are fewer. */
  async function jump(
    scope: Scope,
    descending: boolean,
    after: Moment | undefined,
    count: number
  ): Promise<Moment | undefined> {
    const conditions = [scopeSql(scope), afterMoment(descending, after)]
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

    /** By the caller's fields; the engine looks at the whole scope for it. */
    readSorted(slice: SortedSlice): Promise<readonly Row[]> {
      const { scope, sort, after, offset, narrow, limit } = slice
      const conditions = [scopeSql(scope), after && afterSql(sort, after, engine), narrow]
      const rest = { sql: 'limit ? offset ?', args: [limit, offset] }
      return all<Row>(select(COLUMNS, conditions, orderSql(sort, engine), rest))
    },

    /** Up to `most` records from a moment on; `last` is where to go on, if there are more. */
    async countSome(scope: Scope, after: Moment | undefined, most: number) {
      const last = await jump(scope, false, after, most)
      if (last !== undefined) return { count: most, last }
      const { sql, args } = join([scopeSql(scope), afterMoment(false, after)])
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
