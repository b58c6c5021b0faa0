import { createCache } from '../../../kernel/cache.ts'
import type { Database } from '../../../kernel/database/database.ts'
import {
  query,
  queryAutocommit,
  type SqlValue,
  type Transaction
} from '../../../kernel/database/transaction.ts'
import { TooManyWorkspaces, withDetails } from '../contract.ts'
import { WORKSPACE_TABLES } from './migrations.ts'

/** A stored workspace; times are in milliseconds. */
export interface WorkspaceRow {
  readonly id: string
  readonly seed: string
  /** JSON. */
  readonly options: string
  /** JSON. */
  readonly rules: string
  readonly rules_revision: number
  /** Time at which its clock is stopped; null if the clock runs. */
  readonly frozen: number | null
  /** Offset of its clock from the clock of the server. */
  readonly shift: number
  /** Hash of its key. */
  readonly secret: Uint8Array | null
  readonly created: number
  readonly used: number
  readonly lifetime: number
  readonly records: number
  readonly bytes: number
  readonly seq: number
  /** Hash of the cookie of the browser that it was created for. */
  readonly pupil: Uint8Array | null
  /** A short public name; null without a pupil. */
  readonly tag: string | null
  /** What the pupil has entered. */
  readonly name: string | null
}

export type NewWorkspace = Pick<
  WorkspaceRow,
  'id' | 'seed' | 'options' | 'frozen' | 'secret' | 'created' | 'lifetime' | 'pupil' | 'tag'
>

const FIND = 'select * from workspace where id = ?'
const INSERT =
  'insert into workspace (id, seed, options, rules, frozen, secret, created, used, lifetime, pupil, tag) ' +
  "values (?, ?, ?, '[]', ?, ?, ?, ?, ?, ?, ?) on conflict do nothing returning id"
const LIST = 'select * from workspace order by used desc, id limit ?'
const TOUCH = 'update workspace set used = ? where id = ? and used < ?'
const SET_RULES =
  'update workspace set rules = ?, rules_revision = rules_revision + 1 where id = ? returning id'
const SET_CLOCK = 'update workspace set frozen = ?, shift = ? where id = ? returning id'
const RESET =
  'update workspace set records = 0, bytes = 0, seq = 0, shift = 0, frozen = ?, ' +
  "rules = '[]', rules_revision = rules_revision + 1 where id = ? returning id"
const IDLE = 'select id from workspace where used + lifetime < ? order by used limit 100'
const COUNT = 'select count(*) as n from workspace'
// A workspace with a key, or one that is in use, is removed only after its lifetime.
const REMOVABLE =
  'select id from workspace where id <> ? and (used + lifetime < ? or (secret is null and used < ?)) ' +
  'order by (used + lifetime < ?) desc, used, id limit ?'
const NEXT_REMOVABLE =
  'select min(case when secret is null and lifetime > ? then used + ? else used + lifetime end) ' +
  'as free_at from workspace where id <> ?'
const REMOVE = 'delete from workspace where id = ?'

export function* clearWorkspace(id: string): Transaction<void> {
  for (const table of WORKSPACE_TABLES) yield* query(`delete from ${table} where ws = ?`, id)
}

/** Limit of the number of workspaces. */
export interface WorkspaceCap {
  readonly most: number
  /** Time of the request. */
  readonly time: number
  /** For this time after its last use, a workspace is not removed for another one. */
  readonly protectedMs: number
}

/** Removes workspaces that exceed the limit, never `id`; throws if too few may be removed. */
function* removeExcess(id: string, cap: WorkspaceCap): Transaction<string[]> {
  const { most, time, protectedMs } = cap
  const [count] = yield* query<{ n: number }>(COUNT)
  const excess = (count?.n ?? 0) - most
  if (excess <= 0) return []
  const before = time - protectedMs
  const rows = yield* query<{ id: string }>(REMOVABLE, id, time, before, time, excess)
  if (rows.length < excess) {
    const args = [protectedMs, protectedMs, id]
    const [next] = yield* query<{ free_at: number | null }>(NEXT_REMOVABLE, ...args)
    throw tooManyWorkspaces((next?.free_at ?? time) - time)
  }
  for (const row of rows) {
    yield* query(REMOVE, row.id)
    yield* clearWorkspace(row.id)
  }
  return rows.map((row) => row.id)
}

function tooManyWorkspaces(waitMs: number) {
  const seconds = Math.max(1, Math.ceil(waitMs / SECOND_MS))
  return withDetails(new TooManyWorkspaces(), { headers: { 'retry-after': String(seconds) } })
}

const SECOND_MS = 1000
/** Maximum number of cached rows. */
const MAX_KEPT = 2000

export function workspaceStore(database: Database) {
  // A SQLite file belongs to this process alone, so a cached row is valid until it is changed here.
  // PostgreSQL may be shared by several processes, so each request reads the row.
  const kept = createCache<WorkspaceRow>(MAX_KEPT)
  const isOurs = database.engine === 'sqlite'

  function keep(row: WorkspaceRow): void {
    if (isOurs) kept.set(row.id, row)
  }

  async function change<T>(id: string, write: () => Promise<T>): Promise<T> {
    kept.delete(id)
    return write().finally(() => kept.delete(id))
  }

  const changeOne = (id: string, sql: string, ...args: SqlValue[]) =>
    change(id, async () => {
      const rows = await database.write(() => queryAutocommit(sql, ...args))
      return rows.length > 0
    })

  const removeWorkspace = (id: string) =>
    change(id, () =>
      database.write(
        function* () {
          yield* query(REMOVE, id)
          yield* clearWorkspace(id)
        },
        { frees: true }
      )
    )

  /** On PostgreSQL, a count in each transaction would conflict with all other writes. */
  async function mayBeFull(most: number): Promise<boolean> {
    if (isOurs) return true
    const [count] = await database.read(() => queryAutocommit<{ n: number }>(COUNT))
    return (count?.n ?? 0) >= most
  }

  async function readWorkspace(id: string): Promise<WorkspaceRow | undefined> {
    const [row] = await database.read(() => queryAutocommit<WorkspaceRow>(FIND, id))
    if (row !== undefined) keep(row)
    return row
  }

  return {
    /** The current row, usage included. */
    readWorkspace,

    /** The row from the cache if possible; its usage may be out of date. */
    async findWorkspace(id: string): Promise<WorkspaceRow | undefined> {
      return kept.get(id) ?? readWorkspace(id)
    },

    forgetWorkspaces: () => kept.clear(),

    forgetWorkspace: (id: string): void => kept.delete(id),

    /** False if its id, pupil or tag exists already; throws if there are too many others. */
    async addWorkspace(workspace: NewWorkspace, cap: WorkspaceCap): Promise<boolean> {
      const { id, seed, options, frozen, secret, created, lifetime, pupil, tag } = workspace
      const args = [id, seed, options, frozen, secret, created, created, lifetime, pupil, tag]
      if (!(await mayBeFull(cap.most))) return changeOne(id, INSERT, ...args)
      const removed = await change(id, () =>
        database.write(function* () {
          const added = yield* query(INSERT, ...args)
          return added.length === 0 ? undefined : yield* removeExcess(id, cap)
        })
      )
      for (const other of removed ?? []) kept.delete(other)
      return removed !== undefined
    },

    listWorkspaces: (limit: number) =>
      database.read(() => queryAutocommit<WorkspaceRow>(LIST, limit)),

    touchWorkspace: (id: string, time: number) => changeOne(id, TOUCH, time, id, time),

    /** Replaces the rules; their counters start again. */
    setRules: (id: string, rules: string) => changeOne(id, SET_RULES, rules, id),

    setClock: (id: string, frozen: number | null, shift: number) =>
      changeOne(id, SET_CLOCK, frozen, shift, id),

    /** Resets the records to the samples and the clock to its initial state. */
    resetWorkspace: (id: string, frozen: number | null): Promise<boolean> =>
      change(id, () =>
        database.write(
          function* () {
            const rows = yield* query(RESET, frozen, id)
            yield* clearWorkspace(id)
            return rows.length > 0
          },
          { frees: true }
        )
      ),

    removeWorkspace,

    async removeExpired(time: number): Promise<void> {
      const idle = await database.read(() => queryAutocommit<{ id: string }>(IDLE, time))
      for (const { id } of idle) await removeWorkspace(id)
    }
  }
}
