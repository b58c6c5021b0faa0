import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../../kernel/database/database.ts'
import { readHead } from '../store/read-events.ts'
import {
  nextAccountWithEvents,
  type RemovedEvents,
  readEventSizes,
  removeEvents
} from '../store/remove-events.ts'

const DAY_MS = 24 * 60 * 60_000
const MIB = 1024 * 1024

export interface EventLimits {
  /** How long events are stored. */
  readonly keptMs: number
  /** How long events that wait to be sent are stored. */
  readonly waitingMs: number
  /** Of an account: events that do not wait, all events, and bytes. */
  readonly ended: number
  readonly all: number
  readonly bytes: number
  /** Numbers of events in the log. */
  readonly total: number
}

export const EVENT_LIMITS: EventLimits = {
  keptMs: 7 * DAY_MS,
  waitingMs: 30 * DAY_MS,
  ended: 20_000,
  all: 100_000,
  bytes: 256 * MIB,
  total: 1_000_000
}

/** Small, because SQLite runs nothing else meanwhile. */
const BATCH = 200
const PAUSE_MS = 10

export interface RetentionOptions {
  /** Unix milliseconds. */
  readonly time: number
  readonly limits?: EventLimits
  readonly isStopped?: () => boolean
}

/** Removes old events, and the oldest of accounts with too many, in many small transactions. */
export async function removeOldEvents(
  database: Database,
  { time, limits = EVENT_LIMITS, isStopped = () => false }: RetentionOptions
): Promise<void> {
  async function remove(removed: RemovedEvents): Promise<void> {
    for (let count = BATCH; count === BATCH && !isStopped(); ) {
      count = await database.write(() => removeEvents(database.engine, removed, BATCH), {
        frees: true,
        readsCommitted: true
      })
      await wait(PAUSE_MS)
    }
  }
  await remove({ storedBefore: time - limits.waitingMs, withWaiting: true })
  await remove({ storedBefore: time - limits.keptMs, withWaiting: false })
  const head = await database.read(readHead)
  if (head > limits.total) await remove({ below: head - limits.total + 1, withWaiting: false })
  for (let account = ''; !isStopped(); ) {
    const next = await database.read(() => nextAccountWithEvents(account))
    if (next === undefined) return
    account = next
    const { ended, all } = await findBounds(database, account, limits)
    if (ended !== undefined) await remove({ account, below: ended, withWaiting: false })
    if (all !== undefined) await remove({ account, below: all, withWaiting: true })
    await wait(PAUSE_MS)
  }
}

interface Bounds {
  /** Events with lower numbers are removed unless they wait to be sent. */
  readonly ended: number | undefined
  /** Those with lower numbers are removed in any case. */
  readonly all: number | undefined
}

/** From the newest event on, until there are too many. */
async function findBounds(
  database: Pick<Database, 'read'>,
  account: string,
  limits: EventLimits
): Promise<Bounds> {
  let [count, bytes] = [0, 0]
  let ended: number | undefined
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const from = before
    const { sizes, hasMore } = await database.read(() => readEventSizes(account, from))
    for (const { number, size } of sizes) {
      count++
      bytes += size
      before = number
      const isTooMuch = count > limits.ended || (bytes > limits.bytes && count > 1)
      if (isTooMuch) ended ??= number + 1
      if (count > limits.all) return { ended, all: number + 1 }
    }
    if (!hasMore) return { ended, all: undefined }
  }
}
