import { openAccounts } from '../accounts/open-accounts.ts'
import { createServerOf } from '../accounts/server-of.ts'
import { openConnections } from '../connections/open-connections.ts'
import type { MailboxContext } from '../context.ts'
import type { SettingStore } from '../control/setting-store.ts'
import { openFeed } from '../events/feed.ts'
import { isWatched } from '../watch/is-watched.ts'
import type { Daemon } from './daemon.ts'

export function openDaemon(context: MailboxContext, settings: SettingStore): Daemon {
  const accounts = openAccounts(context)
  const serverOf = createServerOf(context, accounts)
  const connections = openConnections(context.kernel, { accounts, settings, serverOf }, (account) =>
    isWatched(context, account)
  )
  const events = openFeed(context.kernel.database)
  return {
    accounts,
    settings,
    connections,
    events,
    serverOf,
    async stop() {
      events.stop()
      await connections.stop()
    }
  }
}
