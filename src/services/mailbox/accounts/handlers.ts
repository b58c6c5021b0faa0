import type { Handler } from '../api/route.ts'
import { AccountNotFound } from '../contract.ts'
import { connectSoon } from './connect-soon.ts'
import { addAccount, changeAccount } from './register.ts'
import { removeAccount } from './remove-account.ts'
import { listAccounts, showAccount } from './show.ts'
import { verifyAccount } from './verify/verify-account.ts'

/** `PUT /v1/account/:account/reconnect` */
const reconnect: Handler<unknown, { readonly reconnect: boolean }> = async (
  context,
  { params: { account: id = '' }, body }
) => {
  const daemon = await context.daemon()
  const { accounts, connections } = daemon
  const account = await accounts.find(id)
  if (account === undefined) throw new AccountNotFound()
  if (body.reconnect) {
    await accounts.reconnect(id)
    connections.reset(id)
    connectSoon(context, daemon, { ...account, state: 'init' })
  }
  return { reconnect: body.reconnect }
}

/** `DELETE /v1/account/:account` */
const deleteAccount: Handler = async (context, { params: { account: id = '' } }) => {
  if (!(await removeAccount(context, id))) throw new AccountNotFound()
  const { connections } = await context.daemon()
  connections.reset(id)
  context.watch.wake()
  return { account: id, deleted: true }
}

export const accountsHandlers = {
  addAccount,
  showAccount,
  changeAccount,
  removeAccount: deleteAccount,
  listAccounts,
  reconnect,
  verifyAccount
} satisfies Record<string, Handler>
