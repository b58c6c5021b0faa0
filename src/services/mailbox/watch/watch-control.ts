import { query } from '../../../kernel/database/transaction.ts'
import type { MailboxContext } from '../context.ts'
import { WATCH_TOPIC } from '../store/wanted-events.ts'
import type { WatchControl, Watcher } from './watcher.ts'

/** After the service listens; what watches is loaded only if there is an account. */
const FIRST_LOOK_MS = 50
/** On PostgreSQL, because other processes add accounts too. */
const LOOK_MS = 10_000

export function createWatchControl(context: MailboxContext): WatchControl {
  const { database, now } = context.kernel
  let watcher: Watcher | undefined
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let unsubscribe: (() => void) | undefined
  let isStopped = !context.options.watch

  function subscribe(): void {
    unsubscribe ??= database.channel.subscribe((topic) => {
      if (topic === undefined || topic === WATCH_TOPIC) wake()
    })
  }

  /** Accounts of the sandbox are watched only if their events are needed. */
  async function isNeeded(): Promise<boolean> {
    // On PostgreSQL this takes a connection; there the next look finds the first account.
    if (database.engine === 'sqlite' && !isStopped) subscribe()
    const [account] = await database.read(() => query('select id from accounts limit 1'))
    if (account === undefined || isStopped) return false
    subscribe()
    const { listAccountsToWatch } = await import('../store/watched-accounts.ts')
    const time = now().getTime()
    const [found] = await database.read(() => listAccountsToWatch('', 1, time))
    return found !== undefined
  }

  async function look(): Promise<void> {
    if (watcher !== undefined || !(await isNeeded())) return
    const { openWatcher } = await import('./open-watcher.ts')
    if (!isStopped) watcher ??= openWatcher(context)
  }

  function wake(): void {
    if (watcher !== undefined) watcher.wake()
    else if (!isStopped) lookSoon(0)
  }

  /** Errors of the database: the next look may succeed. */
  function lookSoon(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      // One after the other, because only one may open what watches.
      looking = (looking ?? Promise.resolve()).then(look).catch(() => {})
      void looking.then(() => {
        const isDone = watcher !== undefined || isStopped || timer !== undefined
        if (database.engine === 'postgres' && !isDone) lookSoon(LOOK_MS)
      })
    }, ms).unref()
  }

  return {
    start() {
      if (!isStopped) lookSoon(FIRST_LOOK_MS)
    },
    wake,
    watcher: () => watcher,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      unsubscribe?.()
      await looking
      await watcher?.stop()
    }
  }
}
