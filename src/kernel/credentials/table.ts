import type { Migration } from '../database/database.ts'
import { migrationFrom } from '../database/migration-sql.ts'
import { insertRow, query, queryAutocommit, type Transaction } from '../database/transaction.ts'

/**
 * For the migrations of a service with `credentials`; never changed once released. Times are in
 * Unix milliseconds. `ends_at` is the end that a successor set; `expires_at` never changes.
 */
export function credentialsMigration(): Migration {
  return migrationFrom(`
    create table credentials (
      id text primary key,
      digest text not null unique,
      name text not null,
      scopes text not null,
      bindings text not null,
      created_at <integer> not null,
      expires_at <integer>,
      ends_at <integer>,
      revoked_at <integer>,
      used_at <integer>,
      replaced_by text
    )`)
}

export interface TokenRow {
  id: string
  /** SHA-256 in hex. */
  digest: string
  name: string
  /** JSON arrays. */
  scopes: string
  bindings: string
  created_at: number
  expires_at: number | null
  ends_at: number | null
  revoked_at: number | null
  used_at: number | null
  replaced_by: string | null
}

/** What decides whether a token is valid, and whose it is. */
export type PresentedToken = Omit<TokenRow, 'used_at' | 'replaced_by'>

/** Reads the token with a hash from this table. */
export type FindToken = (digest: string) => Transaction<PresentedToken | undefined>

export type NewToken = Pick<
  TokenRow,
  'id' | 'digest' | 'name' | 'scopes' | 'bindings' | 'created_at' | 'expires_at'
>

const PRESENTED = 'id, digest, name, scopes, bindings, created_at, expires_at, ends_at, revoked_at'
const COLUMNS = `${PRESENTED}, used_at, replaced_by`

export function* findByDigest(digest: string): Transaction<PresentedToken | undefined> {
  const [row] = yield* queryAutocommit<PresentedToken>(
    `select ${PRESENTED} from credentials where digest = ?`,
    digest
  )
  return row
}

/**
 * SQL that reads a token by its hash, the last `?`, with `columns` of another table; `join` names
 * that table and a condition of one row at most. The columns are null without such a row.
 */
export function tokenSqlWith(columns: string, join: string): string {
  const own = PRESENTED.replaceAll(/\w+/g, 'credentials.$&')
  return `select ${own}, ${columns} from credentials left join ${join} where credentials.digest = ?`
}

/** A condition for rows of this table that are valid at a time; the time is bound twice. */
export function validTokenSql(alias: string): string {
  const isBefore = (column: string) => `(${alias}.${column} is null or ${alias}.${column} > ?)`
  return `${alias}.revoked_at is null and ${isBefore('expires_at')} and ${isBefore('ends_at')}`
}

export function* findById(id: string): Transaction<TokenRow | undefined> {
  const [row] = yield* query<TokenRow>(`select ${COLUMNS} from credentials where id = ?`, id)
  return row
}

/** Oldest first. */
export function listTokens(): Transaction<readonly TokenRow[]> {
  return query<TokenRow>(`select ${COLUMNS} from credentials order by created_at, id`)
}

export function* countTokens(): Transaction<number> {
  const [row] = yield* query<{ count: number }>('select count(*) as count from credentials')
  return row?.count ?? 0
}

export function addToken(token: NewToken): Transaction<void> {
  return insertRow('credentials', token)
}

export function* removeToken(id: string): Transaction<void> {
  yield* query('delete from credentials where id = ?', id)
}

/** The first end counts if there are several. */
export function* endAt(id: string, time: number, replacedBy: string): Transaction<void> {
  yield* query(
    `update credentials set replaced_by = ?,
     ends_at = case when ends_at < ? then ends_at else ? end where id = ?`,
    ...[replacedBy, time, time, id]
  )
}

/** Whether there is such a token; the time of the first revocation stays. */
export function* revokeToken(id: string, time: number): Transaction<boolean> {
  const rows = yield* queryAutocommit(
    'update credentials set revoked_at = coalesce(revoked_at, ?) where id = ? returning id',
    ...[time, id]
  )
  return rows.length > 0
}

/** In the order of the ids, so that processes lock the rows in the same order. */
export function* storeUses(
  uses: readonly (readonly [id: string, time: number])[]
): Transaction<void> {
  for (const [id, time] of uses.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    yield* query(
      'update credentials set used_at = ? where id = ? and (used_at is null or used_at < ?)',
      ...[time, id, time]
    )
  }
}
