import type { Database } from '../../../kernel/database/database.ts'
import { UniqueViolation } from '../../../kernel/database/errors.ts'
import {
  query,
  queryAutocommit,
  type SqlValue,
  type Transaction
} from '../../../kernel/database/transaction.ts'
import {
  EmailTaken,
  PreconditionFailed,
  WorkspaceFull,
  WorkspaceUnknown,
  withDetails
} from '../contract.ts'
import { LAST_SAMPLE_ID } from '../data/fixtures.ts'

/** A row that replaces or hides a sample, or a record created in the workspace. */
export interface RecordRow {
  readonly id: number
  /** JSON of the fields without `id`. */
  readonly doc: string
  readonly version: number
  readonly deleted: number
  readonly email: string | null
  /** Hash of a password. */
  readonly secret: string | null
  readonly verified: number
  readonly updated: number
}

export interface RecordScope {
  readonly ws: string
  readonly collection: string
}

export interface Content {
  readonly doc: string
  /** Email address in the form for comparison; null unless the record is a user. */
  readonly email: string | null
  readonly secret?: string | null
  readonly verified?: number
}

export interface WorkspaceLimits {
  readonly maxRecords: number
  readonly maxWorkspaceBytes: number
}

/** Prefix of the name of the counter that issues the ids of a collection. */
const ID_COUNTER = 'id '

const COLUMNS = 'id, doc, version, deleted, email, secret, verified, updated'
const FIND = `select ${COLUMNS} from record where ws = ? and collection = ? and id = ?`
const FIND_BY_EMAIL = `select ${COLUMNS} from record where ws = ? and email = ?`
const COVERING = `select ${COLUMNS} from record where ws = ? and collection = ? and id <= ${LAST_SAMPLE_ID}`
const COUNT_OWN = `select count(*) as n, max(id) as last from record where ws = ? and collection = ? and id > ${LAST_SAMPLE_ID} and deleted = 0`
const OWN = `select ${COLUMNS} from record where ws = ? and collection = ? and id > ${LAST_SAMPLE_ID} and deleted = 0 order by id limit ? offset ?`
const GROW =
  'update workspace set seq = seq + 1, records = records + ?, bytes = bytes + ? where id = ? ' +
  'returning seq, records, bytes'
// Ids of removed records are not reused, because their rows are kept.
const INSERT =
  'insert into record (ws, collection, id, doc, version, email, secret, verified, updated) '
const INSERT_NEW = `${INSERT}values (?, ?, ?, ?, 1, ?, ?, ?, ?)`
const INSERT_NUMBERED = `${INSERT_NEW} on conflict (ws, collection, id) do nothing returning id`
const SURVEY =
  'select seq, records, bytes, ' +
  '(select max(id) from record where ws = ? and collection = ?) as last ' +
  'from workspace where id = ?'
const FILL = 'update workspace set seq = ?, records = ?, bytes = ? where id = ?'
const NEXT_ID =
  `insert into counter (ws, name, n, since) values (?, ?, ${LAST_SAMPLE_ID + 1}, 0) ` +
  'on conflict (ws, name) do update set n = counter.n + 1 returning n'

const CATCH_UP =
  'update counter set n = (select max(id) from record where ws = ? and collection = ?) + 1 ' +
  'where ws = ? and name = ? returning n'

// The whole insert in one statement, for PostgreSQL.
const INSERT_AT_ONCE = `
with grown as (
  update workspace set seq = seq + 1, records = records + 1, bytes = bytes + cast(? as bigint)
  where id = ? and records < ? and bytes + cast(? as bigint) <= ? returning seq
), numbered as (
  insert into counter (ws, name, n, since)
  select cast(? as text), cast(? as text), ${LAST_SAMPLE_ID + 1}, 0 from grown
  on conflict (ws, name) do update set n = counter.n + 1 returning n
), added as (
  insert into record (ws, collection, id, doc, version, email, secret, verified, updated)
  select cast(? as text), cast(? as text), n, cast(? as text), 1, cast(? as text),
    cast(? as text), cast(? as bigint), cast(? as bigint) from numbered
  on conflict (ws, collection, id) do nothing returning id
)
insert into event (ws, seq, type, payload, at)
select cast(? as text), grown.seq, cast(? as text), '{"id":' || added.id || cast(? as text),
  cast(? as bigint) from grown, added
returning seq, (select id from added) as id`

function* insertCounted(
  { ws, collection }: RecordScope,
  values: readonly SqlValue[]
): Transaction<number> {
  const name = `${ID_COUNTER}${collection}`
  const [next] = yield* query<{ n: number }>(NEXT_ID, ws, name)
  const id = next?.n ?? 0
  const added = yield* query(INSERT_NUMBERED, ws, collection, id, ...values)
  if (added.length > 0) return id
  // The records were created on SQLite, which does not use the counter.
  const [last] = yield* query<{ n: number }>(CATCH_UP, ws, collection, ws, name)
  yield* query(INSERT_NUMBERED, ws, collection, last?.n ?? 0, ...values)
  return last?.n ?? 0
}
const COVER =
  'insert into record (ws, collection, id, doc, version, deleted, email, secret, verified, updated) ' +
  'values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (ws, collection, id) do update set ' +
  'doc = excluded.doc, version = excluded.version, deleted = excluded.deleted, ' +
  'email = excluded.email, secret = excluded.secret, verified = excluded.verified, ' +
  'updated = excluded.updated'
const ADD_EVENT = 'insert into event (ws, seq, type, payload, at) values (?, ?, ?, ?, ?)'
const TRIM_EVENTS = 'delete from event where ws = ? and seq <= ?'

export const MAX_EVENTS = 1000
const TRIM_EVERY = 100

/** A change as it is sent to subscribers. */
export interface Change {
  readonly type: string
  /** JSON of the record after its id, including `}`; called after the change is decided. */
  readonly rest: () => string
  readonly at: number
}

export interface WorkspaceRecord {
  readonly id: number
  readonly version: number
  readonly seq: number
}

/** New content of a record; `undefined` leaves the record unchanged. */
export type Next = (Content & { readonly deleted?: 1 }) | undefined

/** Usage of a workspace, and the number of its last event. */
interface Fill {
  readonly seq: number
  readonly records: number
  readonly bytes: number
}

export function recordStore(
  database: Database,
  { maxRecords, maxWorkspaceBytes }: WorkspaceLimits
) {
  const isFull = (fill: Fill) => fill.records > maxRecords || fill.bytes > maxWorkspaceBytes

  function* grow(ws: string, records: number, bytes: number): Transaction<number> {
    const [row] = yield* query<Fill>(GROW, records, bytes, ws)
    // The workspace was removed between two steps of this request.
    if (row === undefined) throw new WorkspaceUnknown()
    if (isFull(row) && (records > 0 || bytes > 0)) throw new WorkspaceFull()
    return row.seq
  }

  function* announce(ws: string, seq: number, id: number, change: Change): Transaction<void> {
    yield* query(ADD_EVENT, ws, seq, change.type, `{"id":${id}${change.rest()}`, change.at)
    if (seq % TRIM_EVERY === 0) yield* query(TRIM_EVENTS, ws, seq - MAX_EVENTS)
  }

  function insertCarefully(
    scope: RecordScope,
    content: Content,
    change: Change
  ): Promise<WorkspaceRecord> {
    const { doc, email, secret = null, verified = 1 } = content
    return database.write(function* () {
      const seq = yield* grow(scope.ws, 1, Buffer.byteLength(doc))
      const values = [doc, email, secret, verified, change.at]
      const id = yield* rejectTakenEmail(insertCounted(scope, values))
      yield* announce(scope.ws, seq, id, change)
      return { id, version: 1, seq }
    })
  }

  /**
   * In SQLite, no other connection changes rows that a transaction has read, so it reads first and
   * then writes known values: `returning` would create a temporary table for each result.
   */
  function insertNext(
    scope: RecordScope,
    content: Content,
    change: Change
  ): Promise<WorkspaceRecord> {
    const { ws, collection } = scope
    const { doc, email, secret = null, verified = 1 } = content
    const size = Buffer.byteLength(doc)
    return database.write(function* () {
      const [row] = yield* query<Fill & { last: number | null }>(SURVEY, ws, collection, ws)
      if (row === undefined) throw new WorkspaceUnknown()
      const fill = { seq: row.seq + 1, records: row.records + 1, bytes: row.bytes + size }
      if (isFull(fill)) throw new WorkspaceFull()
      yield* query(FILL, fill.seq, fill.records, fill.bytes, ws)
      const id = Math.max(LAST_SAMPLE_ID, row.last ?? 0) + 1
      yield* rejectTakenEmail(
        query(INSERT_NEW, ws, collection, id, doc, email, secret, verified, change.at)
      )
      yield* announce(ws, fill.seq, id, change)
      return { id, version: 1, seq: fill.seq }
    })
  }

  /** Undefined if a condition failed; `insertCarefully` then finds the reason. */
  async function insertAtOnce(
    { ws, collection }: RecordScope,
    { doc, email, secret = null, verified = 1 }: Content,
    { type, at, rest }: Change
  ): Promise<WorkspaceRecord | undefined> {
    const bytes = Buffer.byteLength(doc)
    const args = [
      ...[bytes, ws, maxRecords, bytes, maxWorkspaceBytes, ws, `${ID_COUNTER}${collection}`],
      ...[ws, collection, doc, email, secret, verified, at, ws, type, rest(), at]
    ]
    const [row] = await database.write(() =>
      rejectTakenEmail(queryAutocommit<{ seq: number; id: number }>(INSERT_AT_ONCE, ...args))
    )
    if (row === undefined) return undefined
    if (row.seq % TRIM_EVERY === 0) {
      await database.write(() => queryAutocommit(TRIM_EVENTS, ws, row.seq - MAX_EVENTS))
    }
    return { id: row.id, version: 1, seq: row.seq }
  }

  return {
    async findRecord({ ws, collection }: RecordScope, id: number): Promise<RecordRow | undefined> {
      const [row] = await database.read(() => queryAutocommit<RecordRow>(FIND, ws, collection, id))
      return row
    },

    async findByEmail(ws: string, email: string): Promise<RecordRow | undefined> {
      const [row] = await database.read(() => queryAutocommit<RecordRow>(FIND_BY_EMAIL, ws, email))
      return row
    },

    /** Rows that replace samples, the number of other records, and the highest id. */
    async surveyRecords({ ws, collection }: RecordScope) {
      return database.read(function* () {
        const covering = yield* query<RecordRow>(COVERING, ws, collection)
        const [own] = yield* query<{ n: number; last: number | null }>(COUNT_OWN, ws, collection)
        return { covering, own: own?.n ?? 0, last: own?.last ?? LAST_SAMPLE_ID }
      })
    },

    ownRecords: ({ ws, collection }: RecordScope, limit: number, offset: number) =>
      database.read(() => queryAutocommit<RecordRow>(OWN, ws, collection, limit, offset)),

    async insertRecord(
      scope: RecordScope,
      content: Content,
      change: Change
    ): Promise<WorkspaceRecord> {
      if (database.engine === 'sqlite') return insertNext(scope, content, change)
      const stored = await insertAtOnce(scope, content, change)
      return stored ?? insertCarefully(scope, content, change)
    },

    /** `decide` gets the current row within the transaction, and may throw. */
    changeRecord(
      scope: RecordScope,
      id: number,
      decide: (row: RecordRow | undefined) => Next,
      change: Change
    ): Promise<WorkspaceRecord | undefined> {
      const { ws, collection } = scope
      return database.write(
        function* () {
          const [row] = yield* query<RecordRow>(FIND, ws, collection, id)
          const next = decide(row)
          if (next === undefined) return undefined
          const { doc, email, deleted = 0 } = next
          const { secret = row?.secret ?? null, verified = row?.verified ?? 1 } = next
          const version = (row?.version ?? 0) + 1
          const bytes = Buffer.byteLength(doc) - Buffer.byteLength(row?.doc ?? '')
          const seq = yield* grow(ws, row === undefined ? 1 : 0, bytes)
          const args: SqlValue[] = [doc, version, deleted, email, secret, verified, change.at]
          yield* rejectTakenEmail(query(COVER, ws, collection, id, ...args))
          yield* announce(ws, seq, id, change)
          return { id, version, seq }
        },
        { frees: change.type.endsWith('.deleted') }
      )
    }
  }
}

function* rejectTakenEmail<T>(transaction: Transaction<T>): Transaction<T> {
  try {
    return yield* transaction
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    throw withDetails(new EmailTaken(), { more: { field: 'email' } })
  }
}

/** RFC 9110 13.1.1: strong comparison, a list, or `*`. */
export function checkIfMatch(header: string | undefined, etag: string): void {
  if (header === undefined || header.trim() === '*') return
  if (!header.split(',').some((candidate) => candidate.trim() === etag)) {
    throw new PreconditionFailed()
  }
}
