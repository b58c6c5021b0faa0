import type { Database } from './database/database.ts'
import { migrationFrom } from './database/migration-sql.ts'
import { query, queryAutocommit } from './database/transaction.ts'
import type { SessionStore, StoredSession } from './session-store.ts'

/** For the migrations of a service that stores its page sessions; never changed once released. */
export const SESSION_MIGRATION = migrationFrom(
  `create table page_session (
    digest text primary key,
    kind text not null,
    account text not null,
    created_at <integer> not null,
    used_at <integer> not null
  );
  create index page_session_used on page_session (kind, used_at)`
)

const COLUMNS = 'digest, kind, account, created_at as "createdAt", used_at as "usedAt"'
const REMOVE_EXPIRED =
  'delete from page_session where kind = ? and (created_at <= ? or used_at <= ?)'
/** SQLite has no `offset` without a `limit`. */
const REMOVE_UNUSED =
  'delete from page_session where digest in (select digest from page_session where kind = ? ' +
  'order by used_at desc limit 1000000 offset ?)'
const ADD =
  'insert into page_session (digest, kind, account, created_at, used_at) values (?, ?, ?, ?, ?)'
const FIND = `select ${COLUMNS} from page_session where digest = ?`
const USE = 'update page_session set used_at = ? where digest = ? and used_at < ?'
const TAKE = `delete from page_session where digest = ? returning ${COLUMNS}`

/** Sessions in the tables of a service, so that they outlive the process and others share them. */
export function createStoredSessions(database: Database): SessionStore {
  return {
    add: ({ digest, kind, account, createdAt, usedAt }, bounds) =>
      database.write(function* () {
        yield* query(REMOVE_EXPIRED, kind, bounds.createdBefore, bounds.usedBefore)
        yield* query(REMOVE_UNUSED, kind, bounds.maximum - 1)
        yield* query(ADD, digest, kind, account, createdAt, usedAt)
      }),
    async find(digest) {
      const [row] = await database.read(() => queryAutocommit<StoredSession>(FIND, digest))
      return row
    },
    async use(digest, usedAt) {
      await database.write(() => queryAutocommit(USE, usedAt, digest, usedAt))
    },
    async take(digest) {
      const take = () => queryAutocommit<StoredSession>(TAKE, digest)
      const [row] = await database.write(take, { frees: true })
      return row
    }
  }
}
