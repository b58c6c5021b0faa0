import type { IncomingMessage } from 'node:http'
import { ALL_RESOURCES } from '../../../kernel/credentials/authorize.ts'
import type { Principal } from '../../../kernel/credentials/rules.ts'
import type { Kernel } from '../../../kernel/service.ts'
import type { AccessContext, Caller, Exchange } from '../api/caller.ts'
import { tooManyRequests, unauthorized } from '../contract.ts'
import { findDetailedToken } from '../store/tokens.ts'
import { checkToken, type Need } from './check-token.ts'
import { logRequest } from './request-log.ts'
import { isNarrowed, parseDetails, type TokenDetails } from './token-details.ts'
import { tokenUsesOf } from './token-uses.ts'

export interface FoundToken {
  readonly principal: Principal
  readonly details: TokenDetails
}

/** A valid token with its details; throws the same error whatever is wrong with another one. */
export async function findToken(
  { credentials }: Kernel,
  request: IncomingMessage,
  token: string
): Promise<FoundToken> {
  let details: TokenDetails = {}
  const principal = await credentials.authenticate(request, token, function* find(digest) {
    const row = yield* findDetailedToken(digest)
    details = parseDetails(row?.details)
    return row
  })
  if (typeof principal === 'string') throw unauthorized()
  if ('retryAfter' in principal) throw tooManyRequests(principal.retryAfter)
  return { principal, details }
}

/** Ids; undefined for all. */
export function accountsOf({ bindings }: Pick<Principal, 'bindings'>): Caller['accounts'] {
  return bindings.includes(ALL_RESOURCES) ? undefined : bindings
}

/** Who the token stands for; throws if it does not allow the request. */
export async function useToken(
  context: AccessContext,
  { request, response }: Exchange,
  token: string,
  need: Need
): Promise<Caller> {
  const { kernel } = context
  const { principal, details } = await findToken(kernel, request, token)
  const { tokenId } = principal
  const uses = tokenUsesOf(kernel)
  const ip = kernel.clientIp(request)
  const accounts = accountsOf(principal)
  const rateLimit = details.restrictions?.rateLimit
  const sender = { ip, referrer: request.headers.referer }
  const countRequest = rateLimit && (() => uses.count(tokenId, rateLimit))
  const { denial, headers } = checkToken(
    { principal, accounts, details, sender, countRequest },
    need
  )
  await logRequest(context, { tokenId, request, ip, need, denial })
  if (denial !== undefined) throw denial
  uses.noteAddress(tokenId, ip)
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  const { actions } = details.permissions ?? {}
  return { accounts, tokenId, isNarrowed: isNarrowed(details), actions }
}
