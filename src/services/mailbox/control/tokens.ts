import type { ApiRequest } from '../api/route.ts'
import type { PageQuery } from '../api/schemas/parts.ts'
import type { MailboxContext } from '../context.ts'
import { readTokenLog } from '../store/tokens.ts'
import { findStoredToken, readTokens, type StoredToken } from '../tokens/read-tokens.ts'
import { tokenUsesOf } from '../tokens/token-uses.ts'
import { TokenNotFound } from './contract.ts'

interface ListQuery extends PageQuery {
  readonly account?: string
  /** Part of an id, an account or a description. */
  readonly query?: string
}

export async function listTokens(
  { kernel }: MailboxContext,
  { query: { account, query, page, pageSize } }: ApiRequest<ListQuery>
): Promise<object> {
  const part = query?.toLowerCase()
  const matching = (await readTokens(kernel)).filter(
    (token) =>
      (account === undefined || token.accounts?.includes(account)) &&
      (part === undefined || searched(token).some((text) => text.toLowerCase().includes(part)))
  )
  const start = page * pageSize
  return {
    total: matching.length,
    page,
    pages: Math.ceil(matching.length / pageSize),
    tokens: matching.slice(start, start + pageSize).map((token) => present(kernel, token))
  }
}

function searched({ id, accounts = [], facts, details }: StoredToken): readonly string[] {
  return [id, ...accounts, details.description ?? facts.name]
}

/** An older route, for one account. */
export function listAccountTokens(
  context: MailboxContext,
  request: ApiRequest<PageQuery>
): Promise<object> {
  const { account = '' } = request.params
  return listTokens(context, { ...request, query: { ...request.query, account } })
}

export async function showToken(
  { kernel }: MailboxContext,
  { params }: ApiRequest
): Promise<object> {
  return present(kernel, await requireToken(kernel, params.token))
}

export async function removeToken(
  { kernel }: MailboxContext,
  { params }: ApiRequest
): Promise<object> {
  const { facts } = await requireToken(kernel, params.token)
  return { deleted: await kernel.credentials.revoke(facts.id) }
}

/** The latest requests of a token, if the setting `tokenAuditLog` is on. */
export async function tokenLog(
  { kernel }: MailboxContext,
  { params, query: { page, pageSize } }: ApiRequest<PageQuery>
): Promise<object> {
  const { id, facts } = await requireToken(kernel, params.token)
  const { total, rows } = await kernel.database.read(() =>
    readTokenLog(facts.id, { limit: pageSize, offset: page * pageSize })
  )
  const log = rows.map(({ time, entry }) => ({
    time: new Date(time).toISOString(),
    ...JSON.parse(entry)
  }))
  return { id, total, page, pages: Math.ceil(total / pageSize), log }
}

async function requireToken(kernel: MailboxContext['kernel'], name = ''): Promise<StoredToken> {
  const token = await findStoredToken(kernel, name)
  if (token === undefined) throw new TokenNotFound()
  return token
}

function present(
  kernel: MailboxContext['kernel'],
  { id, facts, details, accounts }: StoredToken
): object {
  const { description = facts.name, metadata, restrictions, permissions } = details
  const time = facts.usedAt === undefined ? null : new Date(facts.usedAt).toISOString()
  return {
    id,
    account: accounts?.[0] ?? null,
    ...(accounts !== undefined && accounts.length > 1 && { accounts }),
    description,
    ...(metadata !== undefined && { metadata }),
    ...(details.ip !== undefined && { ip: details.ip }),
    ...(details.remoteAddress !== undefined && { remoteAddress: details.remoteAddress }),
    scopes: facts.scopes,
    ...(restrictions !== undefined && { restrictions }),
    ...(permissions !== undefined && { permissions }),
    created: new Date(facts.createdAt).toISOString(),
    ...(facts.expiresAt !== undefined && { expires: new Date(facts.expiresAt).toISOString() }),
    access: { time, ip: tokenUsesOf(kernel).lastAddress(facts.id) ?? null }
  }
}
