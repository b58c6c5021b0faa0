import type { FastifyInstance, FastifyRequest } from 'fastify'
import { checkSender } from '../../../kernel/admin-guard.ts'
import { guardPages } from '../../../kernel/page-guard.ts'
import type { PageSessions } from '../../../kernel/page-session.ts'
import type { Kernel } from '../../../kernel/service.ts'
import type { Caller } from '../api/access.ts'
import { AccountNotFound } from '../contract.ts'
import { callerOf, OPERATOR } from './sessions.ts'

const ORIGIN_MESSAGE = 'State changes are only accepted from pages of the same origin'
const SIGN_IN = {
  title: 'Sign in',
  note: 'nonet is reachable from other machines or through a proxy, so this page requires a token: the admin token, or the token of a sandbox account, which shows the mail of that account.',
  field: 'Token',
  wrong: 'This is neither the admin token nor the token of a sandbox account.'
}

/** Checks host, origin and session of all requests of this scope; returns who sent one. */
export function protectPages(
  scope: FastifyInstance,
  kernel: Kernel,
  sessions: PageSessions
): (request: FastifyRequest) => Promise<Caller> {
  const { isKnownHost, formKey } = kernel
  const pages = guardPages(scope, {
    sessions,
    access: kernel,
    home: '/',
    frame: (request) => kernel.frame(kernel.baseUrl(request)),
    signIn: SIGN_IN
  })
  scope.addHook('onRequest', async function protectMail(request, reply) {
    reply.header('cache-control', 'no-store')
    checkSender(request.raw, { isKnownHost, formKey, originMessage: ORIGIN_MESSAGE })
    return pages.admit(request, reply)
  })
  return async (request) => {
    const session = pages.sessionOf(request)
    // A token that ended since the request was admitted shows no account.
    if (session === undefined) return OPERATOR
    return (await callerOf(kernel, session.account)) ?? { accounts: [] }
  }
}

/** For what only operators may do; others cannot tell whether it exists. */
export function requireOperator({ accounts }: Caller): void {
  if (accounts !== undefined) throw new AccountNotFound()
}
