import type { Account } from '../accounts/account.ts'
import type { Daemon } from '../daemon/daemon.ts'
import type { ReferenceOptions } from './apply-reference.ts'

/** How the time of a quoted message is written: by the request, the account, or the settings. */
export async function referenceOptions(
  { settings }: Pick<Daemon, 'settings'>,
  account: Account,
  input: { readonly locale?: string; readonly tz?: string }
): Promise<ReferenceOptions> {
  const { locale, timezone } = await settings.read()
  return {
    account,
    locale: input.locale ?? account.settings.locale ?? locale ?? 'en',
    timeZone: input.tz ?? account.settings.tz ?? timezone ?? 'UTC'
  }
}
