import { describeProcess, type LockHolder } from '../../../kernel/database/session-lock.ts'
import type { Kernel } from '../../../kernel/service.ts'
import { WATCH_LOCK } from './watch-lock.ts'

export interface Holder {
  /** Whether this process watches. */
  isHolder: () => boolean
  /** The process that watches, as last seen. */
  process: () => LockHolder | undefined
  stop: () => Promise<void>
}

/**
 * Lets one of the processes that share the tables watch: `onChange` is called with true when it is
 * this one, and with false when another one may watch. The operator is told if there are several.
 */
export function openHolder(
  { database, inform }: Pick<Kernel, 'database' | 'inform'>,
  onChange: (isHolder: boolean) => void
): Holder {
  let wasHolder: boolean | undefined

  function describe(isHolder: boolean): string {
    if (isHolder) return 'this process watches the mail accounts now'
    const holder = lock.holder()
    return holder === undefined || holder.isThisProcess
      ? 'this process had no response of PostgreSQL for some seconds, so it does not watch the mail accounts any more'
      : `the mail accounts are watched by ${describeProcess(holder)}, not by this process`
  }

  const lock = database.openLock(WATCH_LOCK, (isHolder) => {
    // A process that is alone watches from its start, which is not printed.
    const isExpected = isHolder && wasHolder === undefined
    if (!isExpected) inform(describe(isHolder))
    const isChanged = isHolder !== (wasHolder ?? false)
    wasHolder = isHolder
    if (isChanged) onChange(isHolder)
  })
  return { isHolder: lock.isHeld, process: lock.holder, stop: lock.stop }
}
