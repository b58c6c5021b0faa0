import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { ALL_RESOURCES } from '../../../kernel/credentials/authorize.ts'
import { isForwarded } from '../../../kernel/forwarded.ts'
import { isOperator } from '../api/access.ts'
import type { ApiRequest, Handler } from '../api/route.ts'
import type { MailboxContext } from '../context.ts'
import { AccountLimitReached, AccountNotFound, invalidInput } from '../contract.ts'
import type { Daemon } from '../daemon/daemon.ts'
import { CAUGHT_ACCOUNT } from '../sandbox/mail-store.ts'
import { requestSync } from '../store/watched-accounts.ts'
import { hastenDeliveries } from '../webhooks/hasten.ts'
import { BLOCKED_MESSAGE, splitUser } from '../webhooks/receiver-url.ts'
import type { Account } from './account.ts'
import type { AccountInput } from './account-input.ts'
import { type AccountChange, changeAccount as applyChange } from './change-account.ts'
import { connectSoon } from './connect-soon.ts'

const MAX_ACCOUNTS = 100_000
const ID_LENGTH = 21

/** `POST /v1/account`. The credentials are not tried before the response. */
export const addAccount: Handler<
  unknown,
  AccountInput & { readonly account: string | null }
> = async (context, apiRequest) => {
  const { account: wanted, ...input } = apiRequest.body
  const daemon = await context.daemon()
  const { accounts } = daemon
  const id = wanted ?? createId()
  const before = await accounts.find(id)
  if (before === undefined) {
    checkNewId(id)
    if ((await accounts.count()) >= MAX_ACCOUNTS) throw new AccountLimitReached(MAX_ACCOUNTS)
  }
  const state = await accounts.save(id, (stored) =>
    checkedChange(context, apiRequest, { id, input, stored })
  )
  await connectAgain(context, daemon, id, before)
  if (before !== undefined) await hastenDeliveries(context, input, id)
  return { account: id, state }
}

/** `PUT /v1/account/:account` */
export const changeAccount: Handler<unknown, AccountInput> = async (context, apiRequest) => {
  const { body: input, params } = apiRequest
  const { account: id = '' } = params
  const daemon = await context.daemon()
  const { accounts } = daemon
  const before = await accounts.find(id)
  await accounts.save(id, (stored) => {
    if (stored === undefined) throw new AccountNotFound()
    return checkedChange(context, apiRequest, { id, input, stored })
  })
  await connectAgain(context, daemon, id, before)
  await hastenDeliveries(context, input, id)
  return { account: id }
}

function checkedChange(
  { kernel }: MailboxContext,
  { caller, request }: ApiRequest,
  change: Pick<AccountChange, 'id' | 'input' | 'stored'>
): ReturnType<typeof applyChange> {
  const who = { isOperator: isOperator(caller), isForwarded: isForwarded(request) }
  const { webhooks: url = '' } = change.input
  const changed = applyChange({ ...change, ...who })
  const { webhooks, webhooksOrigin } = changed.account.settings
  if (!url || webhooks === undefined || webhooksOrigin === undefined) return changed
  const { egress, isForwarded: forwarded } = webhooksOrigin
  const target = { forwarded, egress: egress === 'any' ? egress : undefined }
  if (!kernel.outbound.isBlocked(splitUser(webhooks).url, target)) return changed
  throw invalidInput([{ key: 'webhooks', message: BLOCKED_MESSAGE }])
}

/** Running commands are ended only if servers or credentials have changed. */
async function connectAgain(
  context: MailboxContext,
  daemon: Daemon,
  id: string,
  before: Account | undefined
): Promise<void> {
  const account = await daemon.accounts.find(id)
  if (account === undefined) return
  if (before !== undefined && before.revision !== account.revision) daemon.connections.reset(id)
  else if (before !== undefined && !isWatchedAlike(before, account)) {
    const time = context.kernel.now().getTime()
    await context.kernel.database.write(() => requestSync(id, time))
  }
  connectSoon(context, daemon, account)
}

/** Whether the same changes are looked for. */
function isWatchedAlike({ settings: one }: Account, { settings: other }: Account): boolean {
  const keys = ['path', 'subconnections', 'notifyFrom', 'imapIndexer'] as const
  return keys.every((key) => isDeepStrictEqual(one[key], other[key]))
}

function checkNewId(id: string): void {
  // A token that is bound to this id would be one for all accounts.
  const isReserved = id === ALL_RESOURCES || id === CAUGHT_ACCOUNT.id
  if (isReserved) throw invalidInput([{ key: 'account', message: 'is reserved' }])
}

function createId(): string {
  return randomBytes(ID_LENGTH).toString('base64url').slice(0, ID_LENGTH)
}
