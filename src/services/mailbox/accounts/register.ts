import { randomBytes } from 'node:crypto'
import { ALL_RESOURCES } from '../../../kernel/credentials/authorize.ts'
import { isOperator } from '../api/access.ts'
import type { Handler } from '../api/route.ts'
import { AccountLimitReached, AccountNotFound, invalidInput } from '../contract.ts'
import type { Daemon } from '../daemon/daemon.ts'
import { CAUGHT_ACCOUNT } from '../sandbox/mail-store.ts'
import type { Account } from './account.ts'
import type { AccountInput } from './account-input.ts'
import { changeAccount as applyChange } from './change-account.ts'
import { connectSoon } from './connect-soon.ts'

const MAX_ACCOUNTS = 100_000
const ID_LENGTH = 21

/** `POST /v1/account`. The credentials are not tried before the response. */
export const addAccount: Handler<
  unknown,
  AccountInput & { readonly account: string | null }
> = async (context, { caller, body: { account: wanted, ...input } }) => {
  const daemon = await context.daemon()
  const { accounts } = daemon
  const id = wanted ?? createId()
  const before = await accounts.find(id)
  if (before === undefined) {
    checkNewId(id)
    if ((await accounts.count()) >= MAX_ACCOUNTS) throw new AccountLimitReached(MAX_ACCOUNTS)
  }
  const state = await accounts.save(id, (stored) =>
    applyChange({ id, input, stored, isOperator: isOperator(caller) })
  )
  await connectAgain(daemon, id, before)
  return { account: id, state }
}

/** `PUT /v1/account/:account` */
export const changeAccount: Handler<unknown, AccountInput> = async (
  context,
  { caller, body: input, params: { account: id = '' } }
) => {
  const daemon = await context.daemon()
  const { accounts } = daemon
  const before = await accounts.find(id)
  await accounts.save(id, (stored) => {
    if (stored === undefined) throw new AccountNotFound()
    return applyChange({ id, input, stored, isOperator: isOperator(caller) })
  })
  await connectAgain(daemon, id, before)
  return { account: id }
}

/** Running commands are ended only if servers or credentials have changed. */
async function connectAgain(
  daemon: Daemon,
  id: string,
  before: Account | undefined
): Promise<void> {
  const account = await daemon.accounts.find(id)
  if (account === undefined) return
  if (before !== undefined && before.revision !== account.revision) daemon.connections.reset(id)
  connectSoon(daemon, account)
}

function checkNewId(id: string): void {
  // A token that is bound to this id would be one for all accounts.
  const isReserved = id === ALL_RESOURCES || id === CAUGHT_ACCOUNT.id
  if (isReserved) throw invalidInput([{ key: 'account', message: 'is reserved' }])
}

function createId(): string {
  return randomBytes(ID_LENGTH).toString('base64url').slice(0, ID_LENGTH)
}
