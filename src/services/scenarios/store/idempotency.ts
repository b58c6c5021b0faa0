import type { Database } from '../../../kernel/database/database.ts'
import { query, queryAlone } from '../../../kernel/database/plan.ts'

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
const PURGE = "delete from idempotency where ws = '' and expires < ?"

export function idempotencyStore(database: Database) {
  return {
    /** Undefined when the key is the caller's from this moment on. */
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
      answer: { status: number; headers: string; body: string; until: number }
    ): Promise<void> {
      const { status, headers, body, until } = answer
      await database.write(() => queryAlone(FINISH, status, headers, body, until, ws, name))
    },

    async forgetKey(ws: string, name: string): Promise<void> {
      await database.write(() => queryAlone(FORGET, ws, name))
    },

    async purgeKeys(time: number): Promise<void> {
      await database.write(() => queryAlone(PURGE, time))
    }
  }
}
