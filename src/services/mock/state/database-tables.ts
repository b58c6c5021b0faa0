import type { Migration } from '../../../kernel/database/database.ts'
import { migrationFrom } from '../../../kernel/database/migration-sql.ts'
import { query } from '../../../kernel/database/transaction.ts'
import { type CollectionScope, keyText, scopeOf } from './collection-scope.ts'
import type { Row, SessionRow, Tables } from './tables.ts'

// A key may be a digest; `name`, `path`, `parents` and `value` contain the strings as JSON.
const TABLES = `
create table state_session (
  session text primary key,
  name text not null,
  used <integer> not null,
  sequence <integer> not null,
  records <integer> not null,
  bytes <integer> not null
);
create table state_counter (
  session text not null,
  collection text not null,
  last <integer> not null,
  primary key (session, collection)
);
create table state_record (
  session text not null,
  collection text not null,
  scope text not null,
  id text not null,
  path text not null,
  parents text not null,
  value text not null,
  position <integer> not null,
  body text,
  primary key (session, collection, scope, id)
);
`

export const migrations: readonly Migration[] = [migrationFrom(TABLES)]

const AT = 'where session = ? and collection = ? and scope = ?'
const FIND = `select value, body, position from state_record ${AT} and id = ?`
const LIST = `select value, body, position from state_record ${AT} order by position`
const PUT =
  'insert into state_record (session, collection, scope, id, path, parents, value, position, body) ' +
  'values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (session, collection, scope, id) ' +
  'do update set position = excluded.position, body = excluded.body'
const DROP = `delete from state_record ${AT} and id = ?`
const BELOW = 'where session = ? and collection = ? and substr(scope, 1, ?) = ?'
const DROP_BELOW = `delete from state_record ${BELOW} returning body`
const LIST_SCOPES = 'select distinct path, parents from state_record where session = ?'
const FIND_COUNTER = 'select last from state_counter where session = ? and collection = ?'
const PUT_COUNTER =
  'insert into state_counter (session, collection, last) values (?, ?, ?) ' +
  'on conflict (session, collection) do update set last = excluded.last'
const SESSION = 'select name, used, sequence, records, bytes from state_session'
const PUT_SESSION =
  'insert into state_session (session, name, used, sequence, records, bytes) ' +
  'values (?, ?, ?, ?, ?, ?) on conflict (session) do update set used = excluded.used, ' +
  'sequence = excluded.sequence, records = excluded.records, bytes = excluded.bytes'

interface StoredRow {
  readonly value: string
  readonly body: string | null
  readonly position: number
}

type StoredSession = Omit<SessionRow, 'session'> & { readonly name: string }

/** Tables in a database; the statements run on SQLite and PostgreSQL. */
export const databaseTables: Tables = {
  *findRow(scope, id) {
    const [row] = yield* query<StoredRow>(FIND, ...keysOf(scope), keyText(id))
    return row && rowOf(row)
  },
  *listRows(scope) {
    const rows = yield* query<StoredRow>(LIST, ...keysOf(scope))
    return rows.map(rowOf)
  },
  *putRow(scope, { id, position, body }) {
    const { collection, parents } = scope
    const texts = [collection, parents, id].map((text) => JSON.stringify(text))
    yield* query(PUT, ...keysOf(scope), keyText(id), ...texts, position, body)
  },
  *dropRow(scope, id) {
    yield* query(DROP, ...keysOf(scope), keyText(id))
  },
  *dropBelow({ session, collection, parents }) {
    const scope = scopeOf(parents)
    const keys = [keyText(session), keyText(collection), scope.length, scope] as const
    const gone = yield* query<Pick<StoredRow, 'body'>>(DROP_BELOW, ...keys)
    const bytes = gone.reduce((sum, { body }) => sum + (body?.length ?? 0), 0)
    return { records: gone.length, bytes }
  },
  *listScopes(session) {
    const rows = yield* query<{ path: string; parents: string }>(LIST_SCOPES, keyText(session))
    return rows.map(({ path, parents }) => ({
      collection: JSON.parse(path),
      parents: JSON.parse(parents)
    }))
  },
  *findCounter(session, collection) {
    const keys = [keyText(session), keyText(collection)] as const
    const [row] = yield* query<{ last: number }>(FIND_COUNTER, ...keys)
    return row?.last ?? 0
  },
  *putCounter(session, collection, last) {
    yield* query(PUT_COUNTER, keyText(session), keyText(collection), last)
  },
  *findSession(session) {
    const [row] = yield* query<StoredSession>(`${SESSION} where session = ?`, keyText(session))
    return row && sessionOf(row)
  },
  *listSessions() {
    const rows = yield* query<StoredSession>(SESSION)
    return rows.map(sessionOf)
  },
  *putSession({ session, used, sequence, records, bytes }) {
    const name = JSON.stringify(session)
    yield* query(PUT_SESSION, keyText(session), name, used, sequence, records, bytes)
  },
  *dropSession(session) {
    for (const table of ['state_record', 'state_counter', 'state_session']) {
      yield* query(`delete from ${table} where session = ?`, keyText(session))
    }
  },
  *clear() {
    for (const table of ['state_record', 'state_counter', 'state_session']) {
      yield* query(`delete from ${table}`)
    }
  }
}

function keysOf({ session, collection, parents }: CollectionScope): [string, string, string] {
  return [keyText(session), keyText(collection), scopeOf(parents)]
}

function rowOf({ value, body, position }: StoredRow): Row {
  return { id: JSON.parse(value), body, position }
}

function sessionOf({ name, used, sequence, records, bytes }: StoredSession): SessionRow {
  return { session: JSON.parse(name), used, sequence, records, bytes }
}
