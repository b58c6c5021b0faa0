import { authorize } from '../../../kernel/credentials/authorize.ts'
import {
  ADMIN_ACCOUNT,
  createPageSessions,
  type PageSessions
} from '../../../kernel/page-session.ts'
import type { Kernel } from '../../../kernel/service.ts'
import { createMemorySessions } from '../../../kernel/session-store.ts'
import type { Caller } from '../api/caller.ts'
import { isNarrowed } from '../tokens/token-details.ts'
import { accountsOf, findToken } from '../tokens/use-token.ts'

/** Sessions of a token have its id after this; it is looked up for each request. */
const TOKEN_ACCOUNT = 'token:'
/** Scope of all tokens of the service. */
const SCOPE = 'api'
export const OPERATOR: Caller = { accounts: undefined }

/**
 * Operators sign in with the admin token, owners of accounts with the token of their account. Pages
 * check neither permissions nor restrictions, so tokens with them open none.
 */
export function createMailSessions(kernel: Kernel): PageSessions {
  const { isAdminToken } = kernel
  const sessions = createPageSessions({
    service: 'mailbox',
    store: createMemorySessions(),
    async verify(token, request) {
      if (isAdminToken(token)) return ADMIN_ACCOUNT
      const found = await findToken(kernel, request, token).catch(() => undefined)
      if (found === undefined || isNarrowed(found.details)) return undefined
      const { principal } = found
      return authorize(principal, SCOPE, undefined) ? TOKEN_ACCOUNT + principal.tokenId : undefined
    },
    now: kernel.now
  })
  return {
    ...sessions,
    async find(secrets) {
      const session = await sessions.find(secrets)
      const caller = session && (await callerOf(kernel, session.account))
      return caller === undefined ? undefined : session
    }
  }
}

/** Undefined if the token of the session is no longer valid. */
export async function callerOf(
  { credentials }: Kernel,
  account: string
): Promise<Caller | undefined> {
  if (account === ADMIN_ACCOUNT) return OPERATOR
  const principal = await credentials.find(account.slice(TOKEN_ACCOUNT.length))
  if (principal === undefined || !authorize(principal, SCOPE, undefined)) return undefined
  return { accounts: accountsOf(principal) }
}

/** A link of the console, which signs an operator in. */
export function operatorLink(sessions: PageSessions, url: string): Promise<string> {
  return sessions.createLink(url, ADMIN_ACCOUNT)
}
