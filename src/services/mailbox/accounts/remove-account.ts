import type { MailboxContext } from '../context.ts'
import { openAccounts } from './open-accounts.ts'

/**
 * Removes an account with its mail in the sandbox, its queue and its own tokens; false if no
 * account has this id.
 */
export async function removeAccount(
  context: Pick<MailboxContext, 'store' | 'kernel' | 'startedAt'>,
  id: string
): Promise<boolean> {
  const accounts = openAccounts(context)
  const account = await accounts.find(id)
  if (account === undefined) return false
  return account.isSandbox ? context.store.removeAccount(id) : accounts.remove(id)
}
