import type { IncomingMessage } from 'node:http'
import { removeAccount } from '../../accounts/remove-account.ts'
import { type Caller, mayUse } from '../../api/access.ts'
import type { MailboxContext } from '../../context.ts'
import { AccountNotFound, AdminRequired, NotListening } from '../../contract.ts'
import { CAUGHT_ACCOUNT, type SandboxAccount } from '../mail-store.ts'
import { createAccount } from '../new-account.ts'
import { serverAddresses } from '../server-addresses.ts'
import type { Operation } from './operation.ts'
import { integer, readQuery, readStrings, text } from './read-input.ts'

const MAX_PAGE_SIZE = 1000
const PAGE_SIZE = 20

/** `POST /v1/sandbox/accounts` */
export const addAccount: Operation = async (context, { caller, request }) => {
  requireOperator(caller)
  readQuery(request, {})
  const fields = await readStrings(request, ['account', 'address', 'name'])
  const { account, password, token } = await createAccount(context, fields)
  return {
    account: account.id,
    token,
    address: account.address,
    ...serversOf(context, request, account, password)
  }
}

/** `GET /v1/sandbox/accounts` */
export const listAccounts: Operation = async ({ store }, { caller, request }) => {
  requireOperator(caller)
  const { after, pageSize } = readQuery(request, {
    after: text(256),
    pageSize: integer(1, MAX_PAGE_SIZE, PAGE_SIZE)
  })
  const [accounts, total] = await Promise.all([
    store.listAccounts(pageSize + 1, after ?? ''),
    store.countAccounts()
  ])
  const shown = accounts.slice(0, pageSize)
  const next = accounts.length > pageSize ? (shown.at(-1)?.id ?? null) : null
  return { total, next, accounts: shown.map(present) }
}

/** `GET /v1/sandbox/accounts/:account` */
export const showAccount: Operation = async (context, { caller, request, params }) => {
  readQuery(request, {})
  const { store } = context
  const account = await findAccount(context, caller, params.account)
  const password = await store.readPassword(account.id)
  if (password === undefined) throw new AccountNotFound()
  const messages = await store.countMessages({ account: account.id })
  return { ...present(account), messages, ...serversOf(context, request, account, password) }
}

/** `DELETE /v1/sandbox/accounts/:account` */
export const deleteAccount: Operation = async (context, { caller, request, params }) => {
  readQuery(request, {})
  const { id } = await findAccount(context, caller, params.account)
  if (!(await removeAccount(context, id))) throw new AccountNotFound()
  return { account: id, deleted: true }
}

function requireOperator({ accounts }: Caller): void {
  if (accounts !== undefined) throw new AdminRequired()
}

/** By its id, not its address; the account of caught mail exists from the start. */
export async function findAccount(
  { store }: MailboxContext,
  caller: Caller,
  id = ''
): Promise<SandboxAccount> {
  if (!mayUse(caller, id)) throw new AccountNotFound()
  const isCaught = id === CAUGHT_ACCOUNT.id
  const account = isCaught ? await store.caughtAccount() : await store.findAccount(id)
  if (account === undefined || account.id !== id) throw new AccountNotFound()
  return account
}

function present({ id, address, name, createdAt }: SandboxAccount) {
  return { account: id, address, name, created: new Date(createdAt).toISOString() }
}

/** Settings as imapflow and nodemailer take them; the certificate is not of a known authority. */
function serversOf(
  context: MailboxContext,
  request: IncomingMessage,
  { address }: SandboxAccount,
  password: string
) {
  const addresses = serverAddresses(context, request)
  if (addresses === undefined) throw new NotListening()
  const settings = {
    secure: false,
    auth: { user: address, pass: password },
    tls: { rejectUnauthorized: false }
  }
  return { imap: { ...addresses.imap, ...settings }, smtp: { ...addresses.smtp, ...settings } }
}
