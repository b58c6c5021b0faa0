import type { IncomingMessage } from 'node:http'
import { bearerToken, isCrossOrigin } from '../../../kernel/admin.ts'
import { checkSender, OriginNotAllowed, SAFE_METHODS } from '../../../kernel/admin-guard.ts'
import { ALL_RESOURCES, authorize } from '../../../kernel/credentials/authorize.ts'
import type { Kernel } from '../../../kernel/service.ts'
import {
  AccountNotFound,
  invalidInput,
  ORIGIN_MESSAGE,
  tooManyRequests,
  unauthorized
} from '../contract.ts'

/** Scope of all tokens of the service. */
const SCOPE = 'api'

/** Who sent a request. */
export interface Caller {
  /** Ids of accounts; undefined for an operator, who may use all. */
  readonly accounts: readonly string[] | undefined
}

/**
 * A token that is sent decides, also for local clients. Without one the client is an operator where
 * the admin guard requires no token.
 */
export async function readCaller(kernel: Kernel, request: IncomingMessage): Promise<Caller> {
  checkOrigin(request)
  if (request.headers.authorization === undefined) {
    if (!kernel.isAdmin(request)) throw unauthorized()
    checkSender(request, { isKnownHost: kernel.isKnownHost, originMessage: ORIGIN_MESSAGE })
    return { accounts: undefined }
  }
  const token = bearerToken(request.headers)
  if (token !== undefined && kernel.isAdminToken(token)) return { accounts: undefined }
  const principal = await kernel.credentials.authenticate(request, token)
  if (typeof principal === 'string') throw unauthorized()
  if ('retryAfter' in principal) throw tooManyRequests(principal.retryAfter)
  if (!authorize(principal, SCOPE, undefined)) throw unauthorized()
  const { bindings } = principal
  return { accounts: bindings.includes(ALL_RESOURCES) ? undefined : bindings }
}

/** Links of other pages may lead to a GET route, but no page reads or sends anything. */
function checkOrigin({ headers, method = '' }: IncomingMessage): void {
  const isLink = SAFE_METHODS.includes(method) && headers.origin === undefined
  if (!isLink && isCrossOrigin(headers)) throw new OriginNotAllowed(ORIGIN_MESSAGE)
}

export function mayUse({ accounts }: Caller, account: string): boolean {
  return accounts === undefined || accounts.includes(account)
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
