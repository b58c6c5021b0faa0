import type { IncomingMessage } from 'node:http'
import createError from '@fastify/error'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sentPath } from './admin-guard.ts'
import { TokenMissing } from './errors.ts'
import { EVENT_STREAM_TYPE } from './event-stream.ts'
import { actionWithKey, protectForms } from './form-token.ts'
import type { Frame } from './page.ts'
import { SignInLinkUsed } from './page-errors.ts'
import {
  endedSessionCookie,
  type PageSession,
  type PageSessions,
  sessionCookie
} from './page-session.ts'
import { frameWith, sendPage } from './send-page.ts'
import type { Kernel } from './service.ts'
import {
  checkChange,
  createSessionStreams,
  needsOwnPage,
  pageOrigin,
  readLink
} from './session-access.ts'
import { type SignInTexts, signedInPage, signInPage } from './sign-in-page.ts'

export const TokenWrong = createError(
  'TOKEN_MISSING',
  'This is not the admin token: paste the token that nonet printed at startup',
  401
)

const NOT_PRINTED =
  'this request came through a proxy; nonet prints the token if --public-url is set'
const FORM_TYPE = 'application/x-www-form-urlencoded'

export interface PageGuardOptions {
  sessions: PageSessions
  access: Pick<Kernel, 'isAdmin' | 'formKey' | 'loopback' | 'sessionCookies' | 'baseUrl' | 'now'>
  /** Path of the first page, with a trailing slash; sign-in and sign-out are below it. */
  home: string
  frame: (request: IncomingMessage) => Frame
  /** Of the page with the form for the token; the admin token by default. */
  signIn?: SignInTexts
}

export interface PageGuard {
  /**
   * Admits operators: local clients, requests with the admin token, and browsers with a session.
   * Others get the page for the sign-in or an error. Call it for all routes, after `checkSender`.
   */
  admit: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>
  /** The session that the request was admitted with; undefined if it needed none. */
  sessionOf: (request: FastifyRequest) => PageSession | undefined
}

/** Signs browsers in and out at pages for operators, and protects what they send. */
export function guardPages(app: FastifyInstance, options: PageGuardOptions): PageGuard {
  const { sessions, access, home } = options
  const { service } = sessions
  const signInPath = `${home}sign-in`
  const signOutPath = `${home}sign-out`
  const admitted = new WeakMap<IncomingMessage, PageSession>()
  const streams = createSessionStreams(() => access.now().getTime())

  frameWith(app, (request) => {
    const session = admitted.get(request.raw)
    const signOut = session && actionWithKey(session.secret, signOutPath)
    return { ...options.frame(request.raw), signOut }
  })
  protectForms(app, ({ raw }) => admitted.get(raw)?.secret ?? access.formKey)
  app.register(async (scope) => {
    if (!scope.hasContentTypeParser(FORM_TYPE)) {
      scope.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, (_request, text, done) => {
        done(null, Object.fromEntries(new URLSearchParams(String(text))))
      })
    }
    scope.post(signInPath, signIn)
    scope.post(signOutPath, signOut)
  })

  async function signIn(request: FastifyRequest, reply: FastifyReply) {
    const { token }: { token?: unknown } = Object(request.body)
    const account =
      typeof token === 'string' ? await sessions.verify(token.trim(), request.raw) : undefined
    if (account === undefined) {
      return askToSignIn(request, reply, new TokenWrong(), options.signIn?.wrong)
    }
    await openSession(request, reply, account)
    return reply.redirect(home, 303)
  }

  async function signOut({ raw }: FastifyRequest, reply: FastifyReply) {
    const session = admitted.get(raw)
    if (session !== undefined) {
      await sessions.end(session)
      streams.end(session)
    }
    return reply.header('set-cookie', endedSessionCookie(service)).redirect(home, 303)
  }

  async function openSession(
    { raw }: FastifyRequest,
    reply: FastifyReply,
    account: string
  ): Promise<void> {
    const { secret } = await sessions.open(account)
    const isSecure = originOf(raw).startsWith('https:')
    reply.header('set-cookie', sessionCookie(service, secret, isSecure))
  }

  function originOf(raw: IncomingMessage): string {
    return pageOrigin(raw, access.baseUrl(raw))
  }

  /** False if the request is no link. It does not return the reply, whose promise has no value. */
  async function followLink(
    request: FastifyRequest,
    reply: FastifyReply,
    session: PageSession | undefined
  ): Promise<boolean> {
    const link = await readLink(request.raw, request.url, sessions, { acceptsToken: true })
    if (link === undefined) return false
    const { account, isCode, target } = link
    if (account === undefined && session === undefined) {
      if (!isCode) return false
      askToSignIn(request, reply, new SignInLinkUsed())
      return true
    }
    if (account !== undefined && account !== session?.account) {
      await openSession(request, reply, account)
    }
    leadTo(request, reply, target)
    return true
  }

  function leadTo({ raw }: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
    if (!needsOwnPage(raw)) return reply.redirect(path, 303)
    return sendPage(reply.header('refresh', `0; url=${path}`), signedInPage(service, path))
  }

  /** Sends browsers a page with a form for the token; throws the error for other clients. */
  function askToSignIn(
    { headers }: FastifyRequest,
    reply: FastifyReply,
    error = new TokenMissing(access.loopback ? NOT_PRINTED : 'printed at startup'),
    message = error.message
  ): FastifyReply {
    if (headers.accept?.includes('text/html') !== true) throw error
    const action = actionWithKey(access.formKey, signInPath)
    const page = signInPage({ crumb: service, action, message, ...options.signIn })
    return sendPage(reply.code(401), page)
  }

  return {
    sessionOf: ({ raw }) => admitted.get(raw),
    async admit(request, reply) {
      const { raw } = request
      if (access.isAdmin(raw)) return undefined
      if (raw.method === 'POST' && sentPath(request) === signInPath) return undefined
      const session = await sessions.find(access.sessionCookies(raw))
      if (await followLink(request, reply, session)) return reply
      if (session === undefined) return askToSignIn(request, reply)
      checkChange(raw, { target: request.url, origin: originOf(raw), session })
      admitted.set(raw, session)
      if (raw.headers.accept?.includes(EVENT_STREAM_TYPE)) streams.add(session, reply.raw)
      return undefined
    }
  }
}
