import type { Transaction } from '../../../kernel/database/transaction.ts'
import { Problem } from '../contract.ts'
import type { JsonObject } from '../document/json.ts'
import type { CollectionScope } from './collection-scope.ts'
import type { Row, SessionRow, Tables } from './tables.ts'

/** Maximum number of named sessions with records; the least recently used ones are removed. */
export const MAX_SESSIONS = 100
/** Limits of one session. */
export const MAX_RECORDS = 10_000
export const MAX_BYTES = 8 * 1024 * 1024
/** Number of ids that are tried before creation fails. */
const MAX_TRIES = 1000

/** Initial records, by id. */
export type Seed = ReadonlyMap<string, JsonObject>

export interface CollectionRecord {
  id: string
  record: JsonObject
}

/** Creates a record; `number` is the next number of its collection. */
export type Make = (number: number) => CollectionRecord

export interface Creation {
  /** Id chosen by the client. */
  id: string | undefined
  /** Generated numbers are higher than this one. */
  floor: number
  make: Make
}

/** Operations on records; each is a transaction. */
export function createRecords(tables: Tables, now: () => number) {
  function* find(
    scope: CollectionScope,
    seed: Seed,
    id: string
  ): Transaction<JsonObject | undefined> {
    const row = yield* tables.findRow(scope, id)
    if (row === undefined) return seed.get(id)
    return row.body === null ? undefined : JSON.parse(row.body)
  }

  /** Seed records first, in their order, then the other records in order of creation. */
  function* list(scope: CollectionScope, seed: Seed): Transaction<CollectionRecord[]> {
    const rows = new Map((yield* tables.listRows(scope)).map((row) => [row.id, row]))
    const kept: CollectionRecord[] = []
    for (const [id, record] of seed) {
      const row = rows.get(id)
      rows.delete(id)
      if (row === undefined) kept.push({ id, record })
      else if (row.body !== null) kept.push({ id, record: JSON.parse(row.body) })
    }
    for (const { id, body } of rows.values()) {
      if (body !== null) kept.push({ id, record: JSON.parse(body) })
    }
    return kept
  }

  /** Undefined if the id chosen by the client is taken. */
  function* create(
    scope: CollectionScope,
    seed: Seed,
    creation: Creation
  ): Transaction<CollectionRecord | undefined> {
    const { session, collection } = scope
    const last = Math.max(yield* tables.findCounter(session, collection), creation.floor)
    if (creation.id !== undefined) {
      const made = creation.make(last + 1)
      if ((yield* find(scope, seed, made.id)) !== undefined) return undefined
      yield* put(scope, made)
      const number = /^\d{1,15}$/.test(made.id) ? Number(made.id) : 0
      if (number > last) yield* tables.putCounter(session, collection, number)
      return made
    }
    for (let number = last + 1; number <= last + MAX_TRIES; number++) {
      const made = creation.make(number)
      if ((yield* find(scope, seed, made.id)) !== undefined) continue
      yield* put(scope, made)
      yield* tables.putCounter(session, collection, number)
      return made
    }
    throw new Problem('RECORD_EXISTS', `No free id was found after ${MAX_TRIES} tries.`)
  }

  /** Undefined if the record does not exist. `alter` may be called twice. */
  function* change(
    scope: CollectionScope,
    seed: Seed,
    id: string,
    alter: (before: JsonObject) => JsonObject
  ): Transaction<JsonObject | undefined> {
    const before = yield* find(scope, seed, id)
    if (before === undefined) return undefined
    const record = alter(before)
    yield* put(scope, { id, record })
    return record
  }

  /** Removes a record and its descendants; undefined if the record does not exist. */
  function* remove(
    scope: CollectionScope,
    seed: Seed,
    id: string,
    below: readonly { collection: string; seeded: readonly { parents: string[]; id: string }[] }[]
  ): Transaction<JsonObject | undefined> {
    const before = yield* find(scope, seed, id)
    if (before === undefined) return undefined
    let session = yield* enter(scope.session)
    const row = yield* tables.findRow(scope, id)
    session = { ...session, bytes: session.bytes - (row?.body?.length ?? 0) }
    if (seed.has(id)) {
      const position = row?.position ?? session.sequence + 1
      yield* tables.putRow(scope, { id, body: null, position })
      const records = session.records + (row === undefined ? 1 : 0)
      session = { ...session, records, sequence: Math.max(session.sequence, position) }
    } else {
      yield* tables.dropRow(scope, id)
      session = { ...session, records: session.records - 1 }
    }
    for (const { collection, seeded } of below) {
      const inner = { session: scope.session, collection, parents: [...scope.parents, id] }
      const gone = yield* tables.dropBelow(inner)
      session = {
        ...session,
        records: session.records - gone.records + seeded.length,
        bytes: session.bytes - gone.bytes
      }
      for (const one of seeded) {
        const home = { session: scope.session, collection, parents: one.parents }
        session = { ...session, sequence: session.sequence + 1 }
        yield* tables.putRow(home, { id: one.id, body: null, position: session.sequence })
      }
    }
    yield* tables.putSession(session)
    return before
  }

  function* put(scope: CollectionScope, { id, record }: CollectionRecord): Transaction<void> {
    const session = yield* enter(scope.session)
    const body = JSON.stringify(record)
    const row: Row | undefined = yield* tables.findRow(scope, id)
    const records = session.records + (row === undefined ? 1 : 0)
    const bytes = session.bytes + body.length - (row?.body?.length ?? 0)
    if (records > MAX_RECORDS || bytes > MAX_BYTES) {
      throw new Problem(
        'STATE_FULL',
        `A session can hold at most ${MAX_RECORDS} records and ${MAX_BYTES} bytes; reset it.`
      )
    }
    const position = row?.position ?? session.sequence + 1
    const sequence = Math.max(session.sequence, position)
    yield* tables.putSession({ ...session, records, bytes, sequence })
    yield* tables.putRow(scope, { id, body, position })
  }

  /**
   * The session, used now. For a new one, the least recently used sessions over the limit are
   * removed.
   */
  function* enter(session: string): Transaction<SessionRow> {
    const known = yield* tables.findSession(session)
    if (known !== undefined) return { ...known, used: now() }
    if (session !== '') {
      const named = (yield* tables.listSessions()).filter((one) => one.session !== '')
      const leaving = named
        .sort((one, other) => one.used - other.used || (one.session < other.session ? -1 : 1))
        .slice(0, Math.max(0, named.length + 1 - MAX_SESSIONS))
      for (const one of leaving) yield* tables.dropSession(one.session)
    }
    return { session, used: now(), sequence: 0, records: 0, bytes: 0 }
  }

  /** Marks a session as used that is only read. */
  function* touch(session: string): Transaction<void> {
    const known = yield* tables.findSession(session)
    if (known !== undefined) yield* tables.putSession({ ...known, used: now() })
  }

  return { find, list, create, change, remove, put, touch }
}

export type Records = ReturnType<typeof createRecords>
