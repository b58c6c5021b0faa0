import { createCache } from '../../../kernel/cache.ts'
import type { Database } from '../../../kernel/database/database.ts'
import {
  query,
  queryAutocommit,
  type SqlValue,
  type Transaction
} from '../../../kernel/database/transaction.ts'
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
}

export type NewWorkspace = Pick<
  WorkspaceRow,
  'id' | 'seed' | 'options' | 'frozen' | 'secret' | 'created' | 'lifetime'
>

const FIND = 'select * from workspace where id = ?'
const INSERT =
  'insert into workspace (id, seed, options, rules, frozen, secret, created, used, lifetime) ' +
  "values (?, ?, ?, '[]', ?, ?, ?, ?, ?) on conflict (id) do nothing returning id"
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
const OLDEST = 'select id from workspace order by used, id limit ?'
const REMOVE = 'delete from workspace where id = ?'

export function* clearWorkspace(id: string): Transaction<void> {
  for (const table of WORKSPACE_TABLES) yield* query(`delete from ${table} where ws = ?`, id)
}

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
      database.write(function* () {
        yield* query(REMOVE, id)
        yield* clearWorkspace(id)
      })
    )

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

    /** False if the workspace exists already. */
    addWorkspace(workspace: NewWorkspace): Promise<boolean> {
      const { id, seed, options, frozen, secret, created, lifetime } = workspace
      return changeOne(
        id,
        INSERT,
        ...[id, seed, options, frozen, secret, created, created, lifetime]
      )
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
        database.write(function* () {
          const rows = yield* query(RESET, frozen, id)
          yield* clearWorkspace(id)
          return rows.length > 0
        })
      ),

    removeWorkspace,

    /** Removes expired workspaces, and the least recently used if there are too many. */
    async evict(time: number, most: number): Promise<void> {
      const idle = await database.read(() => queryAutocommit<{ id: string }>(IDLE, time))
      for (const { id } of idle) await removeWorkspace(id)
      const [count] = await database.read(() => queryAutocommit<{ n: number }>(COUNT))
      const excess = (count?.n ?? 0) - most
      if (excess <= 0) return
      const oldest = await database.read(() => queryAutocommit<{ id: string }>(OLDEST, excess))
      for (const { id } of oldest) await removeWorkspace(id)
    }
  }
}
