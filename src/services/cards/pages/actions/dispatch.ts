import type { IncomingMessage } from 'node:http'
import type { FastifyError } from 'fastify'
import { HostNotAllowed } from '../../../../kernel/errors.ts'
import { checkChange, pageOrigin } from '../../../../kernel/session-access.ts'
import type { CardContext, SectionRequest } from '../../context.ts'
import {
  AdminScopeMissing,
  RouteUnknown,
  SessionMissing,
  WriteScopeMissing
} from '../../contract.ts'
import type { Input } from '../../http/input.ts'
import { type BodyInput, withInput } from '../../http/read-input.ts'
import { accountOf, checkOrigin, nextPath, openSession } from '../access/sign-in.ts'
import { signInPage } from '../access/sign-in-page.ts'
import type { MemberViewer, SignedIn } from '../access/signed-in.ts'
import { matchPath } from '../match-path.ts'
import type { PageRequest, ShownPage } from '../page-request.ts'
import { redirecting, type Send, sending, sendingJson } from '../send.ts'
import type { Action, ActionOutcome, ActionRequest } from './action.ts'
import { ACTIONS } from './action-table.ts'
import { actionErrorPage } from './error-page.ts'

const SIGN_IN_PATH = '/sign-in'
const NO_INPUT: Input = { values: new Map(), files: new Map() }

export function isAction({ path, segments }: SectionRequest): boolean {
  return path === SIGN_IN_PATH || matchPath(ACTIONS, segments) !== undefined
}

/** Handles a POST request of a page; `page` has what is known before the body is read. */
export async function dispatchAction(
  context: CardContext,
  request: SectionRequest,
  page: PageRequest
): Promise<Send> {
  if (request.path === SIGN_IN_PATH) return signIn(context, request, page)
  const match = matchPath(ACTIONS, request.segments)
  if (match === undefined) throw new RouteUnknown('POST', request.path)
  const { route: action, params } = match
  try {
    const signedIn = admit(context, request, page, action)
    return await run(context, request, action, {
      ...page,
      params,
      signedIn,
      viewer: signedIn.viewer
    })
  } catch (error) {
    if (!isForClient(error)) throw error
    if (wantsJson(request.raw)) return jsonError(error)
    const { message, statusCode: status } = error
    if (error instanceof SessionMissing) {
      return sendPage(await signInPage(context, page, { message, status }))
    }
    return sendPage(actionErrorPage(context, { ...page, input: NO_INPUT }, request.path, error))
  }
}

/** Checks everything but the body. */
function admit(
  { kernel }: CardContext,
  { raw, target, baseUrl }: SectionRequest,
  { signedIn }: PageRequest,
  { needs = 'write' }: Action
): SignedIn {
  if (!kernel.isKnownHost(raw.headers.host ?? '')) throw new HostNotAllowed()
  if (signedIn === undefined) throw new SessionMissing()
  const { session, viewer } = signedIn
  checkChange(raw, { target, origin: pageOrigin(raw, baseUrl), session })
  checkScope(viewer, needs)
  return signedIn
}

function checkScope({ canWrite, canAdminister }: MemberViewer, needs: string): void {
  if (needs === 'admin' && !canAdminister) throw new AdminScopeMissing()
  if (needs === 'write' && !canWrite) throw new WriteScopeMissing()
}

async function run(
  context: CardContext,
  { raw, path }: SectionRequest,
  action: Action,
  page: Omit<ActionRequest, 'input'>
): Promise<Send> {
  async function handle(input: Input): Promise<Send> {
    const request: ActionRequest = { ...page, input }
    try {
      return sendOutcome(request, await action.handle(context, request))
    } catch (error) {
      if (!isForClient(error) || wantsJson(raw)) throw error
      const again = action.showAgain?.(context, request, error)
      return sendPage((await again) ?? actionErrorPage(context, request, path, error))
    }
  }

  if (action.readsBody) return handle(NO_INPUT)
  const { maxFiles } = action
  const maxFileBytes = action.maxFileBytes?.(context.options)
  return withBody(context, { raw, maxFileBytes, maxFiles }, ({ input }) => handle(input))
}

/** The query has the form token only, so it is no input. */
function withBody<T>(
  { options, uploadFolder }: CardContext,
  {
    raw,
    maxFileBytes,
    maxFiles
  }: { raw: IncomingMessage; maxFileBytes?: number | undefined; maxFiles?: number | undefined },
  use: (body: BodyInput) => Promise<T>
): Promise<T> {
  const query = new URLSearchParams()
  const limit = maxFileBytes ?? options.maxFileBytes
  return withInput(raw, { query, folder: uploadFolder, maxFileBytes: limit, maxFiles }, use)
}

function sendOutcome({ raw, root }: ActionRequest, outcome: ActionOutcome): Send {
  const cookie = 'cookie' in outcome ? outcome.cookie : undefined
  const headers = cookie === undefined ? {} : { 'set-cookie': cookie }
  if (wantsJson(raw)) return sendingJson(200, outcome.data ?? {}, headers)
  if ('page' in outcome) return sendPage(outcome.page)
  return redirecting(303, root + outcome.redirect, headers)
}

export function sendPage({ html, headers = {}, status = 200 }: ShownPage): Send {
  return sending(status, { ...headers, 'cache-control': 'no-store' }, html)
}

async function signIn(
  context: CardContext,
  { raw, baseUrl }: SectionRequest,
  page: PageRequest
): Promise<Send> {
  checkOrigin(context, raw, baseUrl)
  return withBody(context, { raw }, async ({ input }) => {
    const next = nextPath(input)
    try {
      const account = await accountOf(context, raw, input)
      const cookie = await openSession(await context.pageAccess(), { raw, baseUrl }, account)
      return redirecting(303, page.root + next, { 'set-cookie': cookie })
    } catch (error) {
      if (!isForClient(error)) throw error
      const { message, statusCode: status } = error
      return sendPage(await signInPage(context, page, { message, status, next }))
    }
  })
}

type ClientError = FastifyError & { statusCode: number; data?: object }

/** An error without a status is a defect. */
function isForClient(error: unknown): error is ClientError {
  return error instanceof Error && 'statusCode' in error && error.statusCode !== undefined
}

/** `data` of an error has more for scripts, such as the stored state after a conflict. */
function jsonError({ statusCode, code, message, data }: ClientError): Send {
  return sendingJson(statusCode, { ...data, error: code, message })
}

/** Scripts of pages; forms accept HTML. */
function wantsJson({ headers }: IncomingMessage): boolean {
  const { accept = '' } = headers
  return accept.includes('application/json') && !accept.includes('text/html')
}
