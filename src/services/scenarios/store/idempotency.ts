import type { Database } from '../../../kernel/database/database.ts'
import { query, queryAutocommit } from '../../../kernel/database/transaction.ts'

export interface Remembered {
  readonly fingerprint: string
  /** Null while the first request is running. */
  readonly status: number | null
  /** JSON. */
  readonly headers: string | null
  readonly body: string | null
  readonly expires: number
}

const FIND =
  'select fingerprint, status, headers, body, expires from idempotency where ws = ? and name = ?'
const PUT =
  'insert into idempotency (ws, name, fingerprint, expires) values (?, ?, ?, ?) ' +
  'on conflict (ws, name) do update set fingerprint = excluded.fingerprint, status = null, ' +
  'headers = null, body = null, expires = excluded.expires'
const FINISH =
  'update idempotency set status = ?, headers = ?, body = ?, expires = ? where ws = ? and name = ?'
const FORGET = 'delete from idempotency where ws = ? and name = ?'
// Deletes the oldest responses beyond the limit; running requests have no response yet.
const TRIM =
  'delete from idempotency where ws = ? and name in (select name from (' +
  'select name, sum(octet_length(headers) + octet_length(body) + octet_length(name)) ' +
  'over (order by expires desc, name) as size from idempotency ' +
  'where ws = ? and status is not null) as sized where size > ?)'
const PURGE = "delete from idempotency where ws = '' and expires < ?"

/** Responses are trimmed when this share of the limit was added. */
const TRIM_SHARE = 0.1

/** `maxBytes` limits the responses of one workspace, and those of public mode. */
export function idempotencyStore(database: Database, maxBytes: number) {
  let added = 0

  return {
    /** Undefined if the key was free; it is then claimed by the caller. */
    claimKey: (
      ws: string,
      name: string,
      { fingerprint, time, until }: { fingerprint: string; time: number; until: number }
    ): Promise<Remembered | undefined> =>
      database.write(function* () {
        const [found] = yield* query<Remembered>(FIND, ws, name)
        if (found !== undefined && found.expires > time) return found
        yield* query(PUT, ws, name, fingerprint, until)
        return undefined
      }),

    async finishKey(
      ws: string,
      name: string,
      response: { status: number; headers: string; body: string; until: number }
    ): Promise<void> {
      const { status, headers, body, until } = response
      await database.write(() => queryAutocommit(FINISH, status, headers, body, until, ws, name))
      added += headers.length + body.length + name.length
      if (added <= maxBytes * TRIM_SHARE) return
      added = 0
      await database.write(() => queryAutocommit(TRIM, ws, ws, maxBytes), { frees: true })
    },

    async forgetKey(ws: string, name: string): Promise<void> {
      await database.write(() => queryAutocommit(FORGET, ws, name), { frees: true })
    },

    async purgeKeys(time: number): Promise<void> {
      await database.write(() => queryAutocommit(PURGE, time), { frees: true })
    }
  }
}
