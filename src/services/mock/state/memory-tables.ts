import { runSync } from '../../../kernel/database/run-transaction.ts'
import type { Transaction } from '../../../kernel/database/transaction.ts'
import { type CollectionScope, scopeOf } from './collection-scope.ts'
import type { Row, ScopeRow, SessionRow, Tables } from './tables.ts'

interface Shelf {
  collection: string
  parents: readonly string[]
  rows: Map<string, Row>
}

interface Session {
  row: SessionRow | undefined
  counters: Map<string, number>
  shelves: Map<string, Shelf>
}

/** Tables in memory: they end with the process, and all operations are synchronous. */
export function createMemoryTables(): Tables {
  const sessions = new Map<string, Session>()

  function sessionOf(name: string): Session {
    const known = sessions.get(name)
    if (known !== undefined) return known
    const fresh: Session = { row: undefined, counters: new Map(), shelves: new Map() }
    sessions.set(name, fresh)
    return fresh
  }

  function rowsOf({ session, collection, parents }: CollectionScope): ReadonlyMap<string, Row> {
    return sessions.get(session)?.shelves.get(shelfKey(collection, parents))?.rows ?? NO_ROWS
  }

  function shelfOf({ session, collection, parents }: CollectionScope): Map<string, Row> {
    const { shelves } = sessionOf(session)
    const key = shelfKey(collection, parents)
    const shelf = shelves.get(key) ?? { collection, parents, rows: new Map() }
    shelves.set(key, shelf)
    return shelf.rows
  }

  function dropBelow({ session, collection, parents }: CollectionScope): {
    records: number
    bytes: number
  } {
    const gone = { records: 0, bytes: 0 }
    const { shelves } = sessionOf(session)
    const start = shelfKey(collection, parents)
    for (const [key, { rows }] of shelves) {
      if (!key.startsWith(start)) continue
      for (const { body } of rows.values()) {
        gone.records += 1
        gone.bytes += body?.length ?? 0
      }
      shelves.delete(key)
    }
    return gone
  }

  function listScopes(session: string): ScopeRow[] {
    const shelves = [...(sessions.get(session)?.shelves.values() ?? [])]
    return shelves.filter(({ rows }) => rows.size > 0)
  }

  return {
    findRow: (scope, id) => at(() => rowsOf(scope).get(id)),
    listRows: (scope) =>
      at(() => [...rowsOf(scope).values()].sort((one, other) => one.position - other.position)),
    putRow: (scope, row) => at(() => void shelfOf(scope).set(row.id, row)),
    dropRow: (scope, id) => at(() => void shelfOf(scope).delete(id)),
    dropBelow: (scope) => at(() => dropBelow(scope)),
    listScopes: (session) => at(() => listScopes(session)),
    findCounter: (session, collection) =>
      at(() => sessions.get(session)?.counters.get(collection) ?? 0),
    putCounter: (session, collection, last) =>
      at(() => void sessionOf(session).counters.set(collection, last)),
    findSession: (session) => at(() => sessions.get(session)?.row),
    listSessions: () => at(() => [...sessions.values()].flatMap(({ row }) => row ?? [])),
    putSession: (row) =>
      at(() => {
        sessionOf(row.session).row = row
      }),
    dropSession: (session) => at(() => void sessions.delete(session)),
    clear: () => at(() => sessions.clear())
  }
}

const NO_STEPS: Iterable<never> = []

/** A transaction without SQL statements. */
function* at<T>(work: () => T): Transaction<T> {
  yield* NO_STEPS
  return work()
}

const NO_ROWS: ReadonlyMap<string, Row> = new Map()

/**
 * The scope has a fixed width per parent, so one key is a prefix of another only for descendants.
 */
function shelfKey(collection: string, parents: readonly string[]): string {
  return `${collection}\n${scopeOf(parents)}`
}

/** Runs a transaction synchronously, because it has no SQL statements. */
export function runInMemory<T>(transaction: () => Transaction<T>): T {
  return runSync(transaction(), () => [])
}
