import { openAccounts } from '../accounts/open-accounts.ts'
import { createServerOf } from '../accounts/server-of.ts'
import { openConnections } from '../connections/open-connections.ts'
import type { MailboxContext } from '../context.ts'
import type { SettingStore } from '../control/setting-store.ts'
import type { Daemon } from './daemon.ts'

export function openDaemon(context: MailboxContext, settings: SettingStore): Daemon {
  const accounts = openAccounts(context)
  const serverOf = createServerOf(context, accounts)
  const connections = openConnections(context.kernel, { accounts, settings, serverOf })
  return { accounts, settings, connections, serverOf, stop: () => connections.stop() }
}
