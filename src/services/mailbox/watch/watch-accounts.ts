import { setTimeout as delay } from 'node:timers/promises'
import { createLoopPause } from '../../../kernel/loop-pause.ts'
import type { MailboxContext } from '../context.ts'
import { listAccountsToWatch } from '../store/watched-accounts.ts'
import { createOpenings } from './openings.ts'
import { createReport } from './report.ts'
import { type AccountWatch, watchAccount } from './watch-account.ts'

/** All accounts are listed again after this time, because notifications may be lost. */
const INTERVAL_MS = 30_000
/** Between two lists. */
const MIN_INTERVAL_MS = 250
/** After an error of the database. */
const ERROR_PAUSE_MS = 2000
const PAGE = 500
/** Each takes up to 200 KB. */
const MAX_WATCHED = 10_000

interface Watched {
  readonly watch: AccountWatch
  revision: number
  syncAt: number | null
}

/** Accounts that this process watches. */
export interface WatchedAccounts {
  /** Lists the accounts again. */
  wake: () => void
  has: (account: string) => boolean
  /** Stops watching an account until the returned function is called. */
  pause: (account: string) => Promise<() => void>
  count: () => number
  stop: () => Promise<void>
}

export function watchAccounts(context: MailboxContext): WatchedAccounts {
  const { database, now, warn } = context.kernel
  const stopping = new AbortController()
  const { signal } = stopping
  const openings = createOpenings()
  const report = createReport(warn)
  const watched = new Map<string, Watched>()
  /** Accounts that must not be watched now, with the number of reasons. */
  const paused = new Map<string, number>()
  const loopPause = createLoopPause()
  let hasWarned = false
  let hasFailed = false

  function add(id: string, revision: number, syncAt: number | null): void {
    if (watched.size >= MAX_WATCHED) {
      if (!hasWarned) warn(`More than ${MAX_WATCHED} accounts: the others are not watched`)
      hasWarned = true
      return
    }
    const onEnd = () => {
      watched.delete(id)
    }
    const watch = watchAccount({ context, openings, report, onEnd }, id)
    watched.set(id, { watch, revision, syncAt })
  }

  async function compareList(): Promise<void> {
    const seen = new Set<string>()
    for (let after = ''; ; ) {
      const time = now().getTime()
      const page = await database.read(() => listAccountsToWatch(after, PAGE, time))
      signal.throwIfAborted()
      for (const { id, revision, sync_at } of page) {
        seen.add(id)
        const known = watched.get(id)
        if (paused.has(id)) continue
        if (known === undefined) add(id, revision, sync_at)
        else if (known.revision !== revision) {
          known.revision = revision
          known.watch.restart()
        }
        if (known !== undefined && known.syncAt !== sync_at) {
          known.syncAt = sync_at
          known.watch.sync()
        }
      }
      if (page.length < PAGE) break
      after = page.at(-1)?.id ?? ''
    }
    for (const [id, { watch }] of watched) {
      if (seen.has(id)) continue
      watched.delete(id)
      void watch.stop()
    }
  }

  async function untilDue(): Promise<void> {
    await delay(hasFailed ? ERROR_PAUSE_MS : MIN_INTERVAL_MS, undefined, { signal, ref: false })
    await loopPause.wait(INTERVAL_MS)
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      hasFailed = false
      await compareList().catch((error) => {
        if (!signal.aborted) report(error)
        hasFailed = true
        loopPause.wake()
      })
      await untilDue()
    }
  }

  const running = run().catch(() => {})

  return {
    wake: loopPause.wake,
    has: (id) => watched.has(id),
    async pause(id) {
      paused.set(id, (paused.get(id) ?? 0) + 1)
      const known = watched.get(id)
      watched.delete(id)
      await known?.watch.stop()
      return () => {
        const left = (paused.get(id) ?? 1) - 1
        if (left === 0) paused.delete(id)
        else paused.set(id, left)
        loopPause.wake()
      }
    },
    count: () => watched.size,
    async stop() {
      stopping.abort()
      loopPause.wake()
      await running
      await Promise.all([...watched.values()].map(({ watch }) => watch.stop()))
    }
  }
}
