import type { ImapIndexer } from '../accounts/account.ts'
import { hasImap } from '../accounts/has-imap.ts'
import type { Handler } from '../api/route.ts'
import { accountNotUsable } from '../connections/contract.ts'
import type { MailboxContext } from '../context.ts'
import { AccountNotFound } from '../contract.ts'
import { requestSync } from '../store/watched-accounts.ts'
import { FlushRunning } from './contract.ts'
import { flushAccount } from './flush-account.ts'

/** Throws if the account has no mailboxes that could be compared. */
async function checkAccount({ daemon }: MailboxContext, id: string): Promise<void> {
  const { accounts } = await daemon()
  const account = await accounts.find(id)
  if (account === undefined) throw new AccountNotFound()
  if (!hasImap(account)) throw accountNotUsable('unset')
}

/** `PUT /v1/account/:account/sync` */
const sync: Handler<unknown, { readonly sync: boolean }> = async (
  context,
  { params: { account: id = '' }, body }
) => {
  await checkAccount(context, id)
  if (body.sync) {
    const { database, now } = context.kernel
    const time = now().getTime()
    await database.write(() => requestSync(id, time))
    context.watch.wake()
  }
  return { sync: body.sync }
}

interface FlushInput {
  readonly flush: boolean
  readonly notifyFrom?: string
  readonly imapIndexer?: ImapIndexer
}

/** `PUT /v1/account/:account/flush` */
const flush: Handler<unknown, FlushInput> = async (
  context,
  { params: { account: id = '' }, body }
) => {
  await checkAccount(context, id)
  if (body.flush) {
    const isBegun = await flushAccount(context, id, body)
    if (!isBegun) throw new FlushRunning()
  }
  return { flush: body.flush }
}

export const watchHandlers = { sync, flush } satisfies Record<string, Handler>
