import type { Database } from '../../../kernel/database/database.ts'
import type { MailboxContext } from '../context.ts'
import { removeEvents } from '../store/remove-events.ts'
import { sealReceiver } from '../webhooks/seal-receiver.ts'
import { openAccounts } from './open-accounts.ts'

/** Events that one transaction removes: SQLite runs nothing else meanwhile. */
const STEP = 500

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
  const receiver = sealReceiver(context, account, await accounts.readSecrets(id))
  await removeLog(context.kernel.database, id)
  return account.isSandbox
    ? context.store.removeAccount(id, receiver)
    : accounts.remove(id, receiver)
}

/** There may be a hundred thousand events; what is left goes with the account. */
async function removeLog(database: Database, account: string): Promise<void> {
  const remove = () => removeEvents(database.engine, { account, withWaiting: true }, STEP)
  const options = { frees: true, readsCommitted: true }
  for (let removed = STEP; removed === STEP; ) removed = await database.write(remove, options)
}
