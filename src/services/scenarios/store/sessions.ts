import type { Database } from '../../../kernel/database/database.ts'
import { query, queryAutocommit, type Transaction } from '../../../kernel/database/transaction.ts'

export type TokenPurpose = 'classic' | 'refresh' | 'reset' | 'verify' | 'mfa'

/** A stored one-time token, without the secret. */
export interface OneTimeToken {
  readonly purpose: TokenPurpose
  readonly person: number
  readonly session: string | null
  readonly tries: number
  /** Time of its use. */
  readonly used: number | null
  readonly expires: number | null
}

export interface Session {
  readonly id: string
  readonly person: number
  readonly expires: number
  readonly ended: number | null
}

const ADD_TICKET =
  'insert into ticket (ws, hash, purpose, person, session, expires) values (?, ?, ?, ?, ?, ?)'
const FIND_TICKET =
  'select purpose, person, session, tries, used, expires from ticket where ws = ? and hash = ? and purpose = ?'
const USE_TICKET =
  'update ticket set used = ? where ws = ? and hash = ? and used is null returning person'
const TRY_TICKET = 'update ticket set tries = tries + 1 where ws = ? and hash = ? returning tries'
const ADD_SESSION = 'insert into session (ws, id, person, created, expires) values (?, ?, ?, ?, ?)'
const FIND_SESSION = 'select id, person, expires, ended from session where ws = ? and id = ?'
const END_SESSION = 'update session set ended = ? where ws = ? and id = ? and ended is null'
const EXTEND_SESSION = 'update session set expires = ? where ws = ? and id = ?'
const END_OF_PERSON = 'update session set ended = ? where ws = ? and person = ? and ended is null'
const USE_OF_PERSON =
  'update ticket set used = ? where ws = ? and person = ? and used is null ' +
  "and purpose in ('classic', 'reset', 'mfa')"
const PURGE_TICKETS = "delete from ticket where ws = '' and expires < ?"
const PURGE_SESSIONS = "delete from session where ws = '' and expires < ?"

export interface NewOneTimeToken {
  readonly hash: Uint8Array
  readonly purpose: TokenPurpose
  readonly person: number
  readonly session?: string
  readonly expires: number | null
}

function* addTicket(ws: string, ticket: NewOneTimeToken): Transaction<void> {
  const { hash, purpose, person, session = null, expires } = ticket
  yield* query(ADD_TICKET, ws, hash, purpose, person, session, expires)
}

/** Result of using a refresh token. */
export type Rotation = 'rotated' | 'reused' | 'ended' | 'expired' | 'unknown'

export function sessionStore(database: Database) {
  return {
    openSession: (ws: string, session: { id: string; created: number }, refresh: NewOneTimeToken) =>
      database.write(function* () {
        const { id, created } = session
        yield* query(ADD_SESSION, ws, id, refresh.person, created, refresh.expires ?? created)
        yield* addTicket(ws, refresh)
      }),

    async findSession(ws: string, id: string): Promise<Session | undefined> {
      const [row] = await database.read(() => queryAutocommit<Session>(FIND_SESSION, ws, id))
      return row
    },

    async endSession(ws: string, id: string, time: number): Promise<void> {
      await database.write(() => queryAutocommit(END_SESSION, time, ws, id))
    },

    /** Ends all sessions, and all tokens that were issued for the old password. */
    endAccessOf: (ws: string, person: number, time: number): Promise<void> =>
      database.write(function* () {
        yield* query(END_OF_PERSON, time, ws, person)
        yield* query(USE_OF_PERSON, time, ws, person)
      }),

    /** A token that was used before ends its session, because it may have been stolen. */
    rotateRefresh: (
      ws: string,
      hash: Uint8Array,
      time: number,
      next: (person: number) => Omit<NewOneTimeToken, 'person'>
    ): Promise<{ outcome: Rotation; person: number; session: string }> =>
      database.write(function* () {
        const unusedSession = { person: 0, session: '' }
        const [ticket] = yield* query<OneTimeToken>(FIND_TICKET, ws, hash, 'refresh')
        if (ticket === undefined) return { outcome: 'unknown', ...unusedSession }
        const { person, session: id } = ticket
        const session = id ?? ''
        const [found] = yield* query<Session>(FIND_SESSION, ws, session)
        if (ticket.used !== null) {
          yield* query(END_SESSION, time, ws, session)
          return { outcome: 'reused', person, session }
        }
        if (found === undefined || found.ended !== null)
          return { outcome: 'ended', person, session }
        if ((ticket.expires ?? time) <= time) return { outcome: 'expired', person, session }
        yield* query(USE_TICKET, time, ws, hash)
        const ticketNext = { ...next(person), person, session }
        yield* addTicket(ws, ticketNext)
        yield* query(EXTEND_SESSION, ticketNext.expires ?? time, ws, session)
        return { outcome: 'rotated', person, session }
      }),

    async addTicket(ws: string, ticket: NewOneTimeToken): Promise<void> {
      await database.write(() => addTicket(ws, ticket))
    },

    async findTicket(
      ws: string,
      hash: Uint8Array,
      purpose: TokenPurpose
    ): Promise<OneTimeToken | undefined> {
      const [row] = await database.read(() =>
        queryAutocommit<OneTimeToken>(FIND_TICKET, ws, hash, purpose)
      )
      return row
    },

    /** False if the token was already used. */
    async spendTicket(ws: string, hash: Uint8Array, time: number): Promise<boolean> {
      const rows = await database.write(() => queryAutocommit(USE_TICKET, time, ws, hash))
      return rows.length > 0
    },

    /** Number of attempts, this one included. */
    async tryTicket(ws: string, hash: Uint8Array): Promise<number> {
      const [row] = await database.write(() =>
        queryAutocommit<{ tries: number }>(TRY_TICKET, ws, hash)
      )
      return row?.tries ?? 0
    },

    /** Deletes expired data of public mode; data of a workspace is deleted with the workspace. */
    async purgeSessions(before: number): Promise<void> {
      await database.write(() => queryAutocommit(PURGE_TICKETS, before), { frees: true })
      await database.write(() => queryAutocommit(PURGE_SESSIONS, before), { frees: true })
    }
  }
}
