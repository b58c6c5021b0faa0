import type { IncomingMessage } from 'node:http'
import { bearerToken, isCrossOrigin } from '../../../kernel/admin.ts'
import { checkSender, OriginNotAllowed, SAFE_METHODS } from '../../../kernel/admin-guard.ts'
import { parseRequestTarget } from '../../../kernel/request-target.ts'
import { AccountNotFound, invalidInput, ORIGIN_MESSAGE, unauthorized } from '../contract.ts'
import type { Need } from '../tokens/check-token.ts'
import { useToken } from '../tokens/use-token.ts'
import type { AccessContext, Caller, Exchange } from './caller.ts'

export type { Caller }

/** In the query of any route, for clients that cannot send headers. */
export const TOKEN_PARAMETER = 'access_token'

/**
 * A token that is sent decides, also for local clients. Without one the client is an operator where
 * the admin guard requires no token; the setting `disableTokens` changes where that is.
 */
export async function readCaller(
  context: AccessContext,
  exchange: Exchange,
  need: Need
): Promise<Caller> {
  const { request } = exchange
  checkOrigin(request)
  const token = presentedToken(request)
  if (token === undefined) return admitWithoutToken(context, request)
  if (context.kernel.isAdminToken(token)) return { accounts: undefined }
  return useToken(context, exchange, token, need)
}

/** Undefined without a token; throws if it is malformed, or if header and query differ. */
function presentedToken({ headers, url = '' }: IncomingMessage): string | undefined {
  const query = new URLSearchParams(parseRequestTarget(url).query).getAll(TOKEN_PARAMETER)
  const { authorization } = headers
  const sent = authorization === undefined ? query : [bearerToken(headers), ...query]
  const [token] = sent
  if (sent.length > 0 && (token === undefined || sent.some((other) => other !== token))) {
    throw unauthorized()
  }
  return token
}

async function admitWithoutToken(
  { kernel, settings }: AccessContext,
  request: IncomingMessage
): Promise<Caller> {
  const { disableTokens } = await (await settings()).read()
  if (!(disableTokens ?? kernel.isAdmin(request))) throw unauthorized()
  checkSender(request, { isKnownHost: kernel.isKnownHost, originMessage: ORIGIN_MESSAGE })
  return { accounts: undefined }
}

/** Links of other pages may lead to a GET route; requests of scripts and forms are rejected. */
function checkOrigin({ headers, method = '' }: IncomingMessage): void {
  const isLink = SAFE_METHODS.includes(method) && headers.origin === undefined
  if (!isLink && isCrossOrigin(headers)) throw new OriginNotAllowed(ORIGIN_MESSAGE)
}

export function mayUse({ accounts }: Caller, account: string): boolean {
  return accounts === undefined || accounts.includes(account)
}

/** Whether the caller may name servers of private networks; a token that is limited may not. */
export function isOperator({ accounts, isNarrowed = false }: Caller): boolean {
  return accounts === undefined && !isNarrowed
}

/** The account to filter by: that of the parameter, or the only one of the token, or all. */
export function accountFilter(caller: Caller, wanted: string | undefined): string | undefined {
  if (wanted !== undefined && !mayUse(caller, wanted)) throw new AccountNotFound()
  if (wanted !== undefined || caller.accounts === undefined) return wanted
  const [only, another] = caller.accounts
  if (another === undefined && only !== undefined) return only
  throw invalidInput([
    { key: 'account', message: 'is required: the token is for several accounts' }
  ])
}
