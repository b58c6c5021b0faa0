import type { IncomingMessage } from 'node:http'
import type { ImapFlow } from 'imapflow'
import type { Handler } from '../api/route.ts'
import type { PageQuery } from '../api/schemas/parts.ts'
import type { MailboxContext } from '../context.ts'
import { AccountNotFound } from '../contract.ts'
import { serverAddresses } from '../sandbox/server-addresses.ts'
import { readWebhookError } from '../store/webhook-errors.ts'
import type { Account, AccountState } from './account.ts'
import { connectSoon } from './connect-soon.ts'
import { presentAccount, presentEntry, type SandboxServers } from './present.ts'

/** `GET /v1/account/:account` */
export const showAccount: Handler<{ readonly quota?: boolean }> = async (
  context,
  { request, params: { account: id = '' }, query, signal, timeoutMs }
) => {
  const daemon = await context.daemon()
  const { accounts, connections, settings } = daemon
  const quota = query.quota
    ? await connections.run(id, { signal, timeoutMs }, readQuota)
    : undefined
  const account = await accounts.find(id)
  if (account === undefined) throw new AccountNotFound()
  connectSoon(context, daemon, account)
  const secrets = await accounts.readSecrets(id)
  const counters = await accounts.readCounters([id])
  const { imapIndexer } = await settings.read()
  const shown = presentAccount({
    account,
    secrets,
    sandboxServers: account.isSandbox ? sandboxServers(context, request, account) : undefined,
    events: counters.get(id),
    imapIndexer,
    connections: connections.count(id),
    webhookError: await context.kernel.database.read(() => readWebhookError(id))
  })
  return { ...shown, ...(quota !== undefined && { quota }) }
}

/** As the client reaches the mail server of the sandbox; undefined until it listens. */
function sandboxServers(
  context: MailboxContext,
  request: IncomingMessage,
  { email = '' }: Account
): SandboxServers | undefined {
  const addresses = serverAddresses(context, request)
  if (addresses === undefined) return undefined
  const settings = {
    secure: false,
    auth: { user: email },
    tls: { rejectUnauthorized: false }
  }
  return { imap: { ...addresses.imap, ...settings }, smtp: { ...addresses.smtp, ...settings } }
}

/** False if the server has no quotas or no limit. */
async function readQuota(client: ImapFlow): Promise<object | false> {
  const quota = await client.getQuota('INBOX')
  if (!quota) return false
  const { usage, limit, status } = quota.storage ?? {}
  return limit === undefined ? false : { usage, limit, status }
}

export interface ListQuery extends PageQuery {
  readonly state?: AccountState | '*'
  readonly query?: string
}

/** `GET /v1/accounts` */
export const listAccounts: Handler<ListQuery> = async (
  context,
  { caller, query: { page, pageSize, state = '*', query = '' } }
) => {
  const { accounts } = await context.daemon()
  const filter = {
    state: state === '*' ? undefined : state,
    query: query === '' ? undefined : query,
    ids: caller.accounts
  }
  const offset = page * pageSize
  const { total, accounts: found } = await accounts.list(filter, { limit: pageSize, offset })
  const counters = await accounts.readCounters(found.map(({ id }) => id))
  return {
    total,
    page,
    pages: Math.ceil(total / pageSize),
    query: query === '' ? false : query,
    state,
    accounts: found.map((account) => presentEntry(account, counters.get(account.id)))
  }
}
