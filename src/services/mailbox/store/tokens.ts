/** What the service stores with tokens, whose table is the kernel's. */
import { type PresentedToken, tokenSqlWith } from '../../../kernel/credentials/table.ts'
import {
  insertRow,
  query,
  queryAutocommit,
  type Transaction
} from '../../../kernel/database/transaction.ts'

/** Requests of a token that are kept in its log. */
export const MAX_LOGGED = 1000

const WITH_DETAILS = tokenSqlWith(
  'token_details.details',
  'token_details on token_details.token = credentials.id'
)

export interface DetailedToken extends PresentedToken {
  /** JSON of `TokenDetails`. */
  readonly details: string | null
}

export function* findDetailedToken(digest: string): Transaction<DetailedToken | undefined> {
  const [row] = yield* queryAutocommit<DetailedToken>(WITH_DETAILS, digest)
  return row
}

/** Rows of tokens that are no longer stored are removed, so that the tables stay bounded. */
export function* addTokenDetails(token: string, details: string): Transaction<void> {
  for (const table of ['token_details', 'token_log']) {
    yield* query(`delete from ${table} where token not in (select id from credentials)`)
  }
  yield* insertRow('token_details', { token, details })
}

export function* copyTokenDetails(replaced: string, successor: string): Transaction<void> {
  yield* query(
    `insert into token_details (token, details)
     select ?, details from token_details where token = ?`,
    ...[successor, replaced]
  )
}

export function* readTokenDetails(): Transaction<ReadonlyMap<string, string>> {
  const rows = yield* query<{ token: string; details: string }>(
    'select token, details from token_details'
  )
  return new Map(rows.map(({ token, details }) => [token, details]))
}

export interface TokenLogRow {
  time: number
  /** JSON. */
  entry: string
}

export function* logTokenRequest(token: string, { time, entry }: TokenLogRow): Transaction<void> {
  yield* insertRow('token_log', { token, time, entry })
  yield* query(
    `delete from token_log where token = ? and number <=
       (select number from token_log where token = ? order by number desc limit 1 offset ?)`,
    ...[token, token, MAX_LOGGED]
  )
}

/** The latest first. */
export function* readTokenLog(
  token: string,
  { limit, offset }: { readonly limit: number; readonly offset: number }
): Transaction<{ total: number; rows: readonly TokenLogRow[] }> {
  const [counted] = yield* query<{ count: number }>(
    'select count(*) as count from token_log where token = ?',
    token
  )
  const rows = yield* query<TokenLogRow>(
    'select time, entry from token_log where token = ? order by number desc limit ? offset ?',
    ...[token, limit, offset]
  )
  return { total: counted?.count ?? 0, rows }
}
