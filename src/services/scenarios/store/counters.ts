import type { Database } from '../../../kernel/database/database.ts'
import { queryAutocommit, type Transaction } from '../../../kernel/database/transaction.ts'

/** One statement each, so that counting is atomic between processes. */
const COUNT =
  'insert into counter (ws, name, n, since) values (?, ?, 1, 0) ' +
  'on conflict (ws, name) do update set n = counter.n + 1 returning n'
const COUNT_WITHIN =
  'insert into counter (ws, name, n, since) values (?, ?, 1, ?) ' +
  'on conflict (ws, name) do update set ' +
  'n = case when counter.since <= ? then 1 else counter.n + 1 end, ' +
  'since = case when counter.since <= ? then excluded.since else counter.since end ' +
  'returning n, since'
const READ = 'select n, since from counter where ws = ? and name = ?'
const FORGET = 'delete from counter where ws = ? and name = ?'
/** Counters of scenarios and rules, without the internal ones of ids and secrets. */
const LIST =
  "select name, n from counter where ws = ? and name not like 'id %' and name not like 'secret %' order by name"

export interface Window {
  readonly n: number
  /** Start of the window. */
  readonly since: number
}

export function counterStore(database: Database) {
  return {
    /** Increments a counter; returns its value, from 1. */
    async count(ws: string, name: string): Promise<number> {
      const [row] = await database.write(() => queryAutocommit<{ n: number }>(COUNT, ws, name))
      return row?.n ?? 1
    },

    /** Like `count`, in windows of `width` milliseconds that start at their first request. */
    async countWithin(ws: string, name: string, width: number, time: number): Promise<Window> {
      const [row] = await database.write(
        (): Transaction<readonly Window[]> =>
          queryAutocommit<Window>(COUNT_WITHIN, ws, name, time, time - width, time - width)
      )
      return row ?? { n: 1, since: time }
    },

    async readCount(ws: string, name: string): Promise<Window> {
      const [row] = await database.read(() => queryAutocommit<Window>(READ, ws, name))
      return row ?? { n: 0, since: 0 }
    },

    async forgetCount(ws: string, name: string): Promise<void> {
      await database.write(() => queryAutocommit(FORGET, ws, name), { frees: true })
    },

    listCounts: (ws: string) =>
      database.read(() => queryAutocommit<{ name: string; n: number }>(LIST, ws))
  }
}
