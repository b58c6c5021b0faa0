import type { Account } from '../accounts/account.ts'
import type { MailboxContext } from '../context.ts'

/** Accounts of the sandbox are watched only while their events are needed. */
export function isWatched(
  { options, watch }: Pick<MailboxContext, 'options' | 'watch'>,
  { id, isSandbox }: Pick<Account, 'id' | 'isSandbox'>
): boolean {
  return options.watch && (!isSandbox || watch.watcher()?.watches(id) === true)
}
