import { setImmediate } from 'node:timers/promises'
import type { Database } from '../../../kernel/database/database.ts'
import { query, queryAutocommit, type Transaction } from '../../../kernel/database/transaction.ts'
import { findBox, hasPermission, seeBox } from './access.ts'
import type { BoxState } from './changes.ts'
import { findHorizon, HORIZON_OR_GIVEN, NO_HORIZON } from './log.ts'
import type { StoredRecord } from './record.ts'
import { VISIBLE } from './write.ts'

const FIND_IN = `select id, collection, created, updated, rev, raw from records where box = ? and id = ? and ${VISIBLE}`
const NO_BOX = 0

/** Positions in the log of a box that a client may read. */
export interface Followed {
  readonly pk: number
  /** Newest change that can be read. */
  readonly head: number
  /** Newest committed change; older ones may not be committed yet. */
  readonly newest: number
  /** Argument of `readChanges`: how far it may read. */
  readonly horizon: number
}

type ReadState = (id: string, time: number) => Promise<BoxState | undefined>

/**
 * Reads that check access. Without a valid key, a private box is the same as an unknown one, and
 * the database receives the same queries for both.
 */
export function lookIntoBoxes(database: Database, now: () => Date, readState: ReadState) {
  const { engine } = database
  const readable = engine === 'sqlite' ? '' : `and c.seq < ${HORIZON_OR_GIVEN}`
  const follow = `select pk, coalesce((select max(c.seq) from changes c where c.box = boxes.pk ${readable}), forgotten, seq) as head, coalesce((select max(c.seq) from changes c where c.box = boxes.pk), seq) as newest from boxes where pk = ?`
  let search: Promise<number> | undefined

  function* followBox(pk: number, horizon: number): Transaction<Followed | undefined> {
    const given = engine === 'sqlite' ? [] : [horizon]
    const [found] = yield* query<Omit<Followed, 'horizon'>>(follow, ...given, pk)
    return found && { ...found, horizon }
  }

  /** Calls in one event-loop turn share a statement, which is sent after all of them. */
  function searchHorizon(): Promise<number> {
    search ??= setImmediate().then(() => {
      search = undefined
      return database.read(() => findHorizon(engine))
    })
    return search
  }

  /**
   * A transaction of another program that ends while it is looked up counts as one that may write
   * the log; the second search no longer finds it.
   */
  async function searchHorizonAfter(seq: number): Promise<number> {
    const horizon = await searchHorizon()
    return horizon > seq ? horizon : searchHorizon()
  }

  /** Transactions that cannot write the log, such as those of other programs, do not count. */
  async function settle(state: BoxState | undefined): Promise<BoxState | undefined> {
    if (state === undefined || state.settled) return state
    return { ...state, settled: state.seq < (await searchHorizonAfter(state.seq)) }
  }

  return {
    async seeState(
      id: string,
      key: string | undefined,
      time: number
    ): Promise<BoxState | undefined> {
      const state = await readState(id, time)
      if (state?.private === 0 || (state === undefined && key === undefined)) return settle(state)
      const isAllowed = await database.read(() => hasPermission(state, key, 'read'))
      return isAllowed ? settle(state) : undefined
    },

    async look(id: string, key: string | undefined): Promise<Followed | undefined> {
      const seen = await database.read(function* () {
        const box = yield* seeBox(id, key)
        return yield* followBox(box?.pk ?? NO_BOX, NO_HORIZON)
      })
      if (seen === undefined || seen.head >= seen.newest) return seen
      const horizon = await searchHorizonAfter(seen.newest)
      return database.read(() => followBox(seen.pk, horizon))
    },

    async findIn(pk: number, id: string): Promise<StoredRecord | undefined> {
      const time = now().getTime()
      const [row] = await database.read(() => queryAutocommit<StoredRecord>(FIND_IN, pk, id, time))
      return row
    },

    async isKnown(id: string): Promise<boolean> {
      return (await database.read(() => findBox(id))) !== undefined
    }
  }
}
