import type { MailboxContext } from '../context.ts'
import { openHolder } from './open-holder.ts'
import { type WatchedAccounts, watchAccounts } from './watch-accounts.ts'
import type { Watcher } from './watcher.ts'

/** Watches accounts while this process is the one that does so. */
export function openWatcher(context: MailboxContext): Watcher {
  let accounts: WatchedAccounts | undefined
  let ending: Promise<void> = Promise.resolve()
  let isWanted = false

  function end(): Promise<void> {
    const ended = accounts
    accounts = undefined
    if (ended !== undefined) ending = ending.then(() => ended.stop())
    return ending
  }

  const holder = openHolder(context.kernel, (isHolder) => {
    isWanted = isHolder
    void end().then(() => {
      // Not by `holder.isHolder`, which is false for a moment if the connection is lost.
      if (isWanted) accounts ??= watchAccounts(context)
    })
  })

  return {
    wake: () => accounts?.wake(),
    isHolder: holder.isHolder,
    process: holder.process,
    count: () => accounts?.count() ?? 0,
    watches: (id) => accounts?.has(id) === true,
    pause: async (id) => (await accounts?.pause(id)) ?? (() => {}),
    async stop() {
      isWanted = false
      await end()
      await holder.stop()
    }
  }
}
