import { browserModulesIn } from '../../../kernel/browser-modules.ts'
import { actionWithKey } from '../../../kernel/form-token.ts'
import { SignInLinkUsed } from '../../../kernel/page-errors.ts'
import { endedSessionCookie } from '../../../kernel/page-session.ts'
import { needsOwnPage, readLink } from '../../../kernel/session-access.ts'
import { signedInPage } from '../../../kernel/sign-in-page.ts'
import { isBoardJson, serveBoardJson } from '../api/board-json.ts'
import type { CardContext, Section, SectionRequest } from '../context.ts'
import {
  COMMON_HEADERS,
  MethodNotAllowed,
  ObjectUnknown,
  RouteUnknown,
  TEXT_TYPE
} from '../contract.ts'
import { requestTokens, resolveViewer } from '../http/credentials.ts'
import { readPreviewToken } from '../http/preview-token.ts'
import { ANONYMOUS, type Viewer } from '../records/viewer.ts'
import { openSession } from './access/sign-in.ts'
import { signInPage } from './access/sign-in-page.ts'
import type { SignedIn } from './access/signed-in.ts'
import { dispatchAction, isAction, sendPage } from './actions/dispatch.ts'
import { CARD_PAGE_HEADERS, ICON } from './layout.ts'
import { matchPath } from './match-path.ts'
import { renderMemberPage } from './member-layout.ts'
import type { PageOutcome, PageRequest } from './page-request.ts'
import { PAGES, type PageRoute } from './page-table.ts'
import { redirecting, type Send, sending } from './send.ts'

const ROBOTS = 'User-agent: *\nDisallow: /1/\nAllow: /\n'
const DAY_CACHE = 'public, max-age=86400'
const modules = browserModulesIn(new URL('./browser/', import.meta.url))

export function createPages(context: CardContext): Section {
  return async (request) => {
    if (isBoardJson(request.segments)) return serveBoardJson(context, request)
    const { raw, path, segments } = request
    const method = raw.method ?? ''
    if (method === 'POST' && isAction(request)) return post(context, request)
    const file = fileOf(request)
    const match = matchPath(PAGES, segments)
    if (file === undefined && match === undefined) throw new RouteUnknown(method, path)
    if (method !== 'GET' && method !== 'HEAD') {
      throw Object.assign(new MethodNotAllowed(), { headers: { allow: 'GET, HEAD' } })
    }
    if (file !== undefined) return file
    return showPage(context, request, match?.route, match?.params ?? {})
  }
}

function fileOf({ path, segments, raw }: SectionRequest): Send | undefined {
  const shared = { ...COMMON_HEADERS, 'cache-control': DAY_CACHE }
  if (path === '/robots.txt') return sending(200, { ...shared, 'content-type': TEXT_TYPE }, ROBOTS)
  if (path === '/favicon.svg') {
    const type = {
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'"
    }
    return sending(200, { ...shared, ...type }, ICON)
  }
  const [folder, file = '', ...more] = segments
  if (folder !== 'scripts' || more.length > 0) return undefined
  const script = modules.respond(file.replace(/\.[jt]s$/, ''), raw.headers['if-none-match'])
  return script && sending(script.status, script.headers, script.body)
}

async function post(context: CardContext, request: SectionRequest): Promise<Send> {
  const access = await context.pageAccess()
  const signedIn = await access.find(request.raw)
  return dispatchAction(context, request, requestFor(request, signedIn))
}

/** Without a page, the query may still have a sign-in link. */
async function showPage(
  context: CardContext,
  request: SectionRequest,
  route: PageRoute | undefined,
  params: PageRequest['params']
): Promise<Send> {
  const { raw } = request
  const access = await context.pageAccess()
  const hasCookie = context.kernel.sessionCookies(raw).length > 0
  const signedIn = hasCookie ? await access.find(raw) : undefined
  const followed = await followLink(context, request, signedIn)
  if (followed !== undefined) return followed
  const page = requestFor(request, signedIn)
  const { viewer, token } = await viewerFor(context, request, signedIn)
  const canEdit = viewer === signedIn?.viewer && page.canEdit
  const isPublic = viewer.kind === 'anonymous' && !hasCookie
  const headers = {
    'cache-control': isPublic ? 'no-cache' : 'private, no-cache',
    vary: 'Authorization, Cookie',
    ...(hasCookie &&
      signedIn === undefined && { 'set-cookie': endedSessionCookie(access.sessions.service) })
  }
  const show = route?.page ?? signInPage
  const outcome = await showAs(context, show, { ...page, params, viewer, canEdit, token })
  return sendOutcome(outcome, page.baseUrl, headers)
}

/** A token in the request counts before the session; preview links have one. */
async function viewerFor(
  context: CardContext,
  { raw, query }: SectionRequest,
  signedIn: SignedIn | undefined
): Promise<{ viewer: Viewer; token: string | undefined }> {
  const [token] = requestTokens(raw, query)
  if (token === undefined) return { viewer: signedIn?.viewer ?? ANONYMOUS, token: undefined }
  const viewer = await resolveViewer(context, raw, query, {
    readPreviewToken: (text) => readPreviewToken(context, text, context.kernel.now())
  })
  return { viewer, token: viewer.kind === 'preview' ? token : undefined }
}

/** Boards of others are shown as the public sees them. */
async function showAs(
  context: CardContext,
  show: PageRoute['page'],
  request: PageRequest
): Promise<PageOutcome> {
  try {
    return await show(context, request)
  } catch (error) {
    if (!(error instanceof ObjectUnknown)) throw error
    if (request.viewer !== request.signedIn?.viewer) throw withSignInLink(error, request.root)
    return show(context, { ...request, viewer: ANONYMOUS, canEdit: false })
  }
}

/** The same for all boards that the reader may not see, whether they exist or not. */
function withSignInLink(error: Error, root: string): Error {
  return Object.assign(error, { links: [{ href: `${root}/sign-in`, text: 'Sign in' }] })
}

function sendOutcome(
  outcome: PageOutcome,
  baseUrl: string,
  headers: Readonly<Record<string, string>>
): Send {
  if ('send' in outcome) return outcome.send
  // The path is of stored data, so it leads to no other site.
  if ('redirect' in outcome) return redirecting(301, baseUrl + outcome.redirect, headers)
  const { html, status = 200 } = outcome
  return sending(status, { ...(outcome.headers ?? CARD_PAGE_HEADERS), ...headers }, html)
}

function requestFor(
  { raw, path, segments, query, baseUrl }: SectionRequest,
  signedIn: SignedIn | undefined
): PageRequest {
  const root = path.split('/').slice(2).fill('..').join('/') || '.'
  return {
    viewer: signedIn?.viewer ?? ANONYMOUS,
    signedIn,
    canEdit: signedIn?.viewer.canWrite === true,
    names: segments.map(decode),
    params: {},
    token: undefined,
    query,
    root,
    baseUrl,
    raw,
    action: (to) => root + actionWithKey(signedIn?.session.secret ?? '', to)
  }
}

/** Links of the console; a code that was used before does no harm to a browser with a session. */
async function followLink(
  context: CardContext,
  request: SectionRequest,
  signedIn: SignedIn | undefined
): Promise<Send | undefined> {
  const access = await context.pageAccess()
  const { raw, target } = request
  const link = await readLink(raw, target, access.sessions, { acceptsToken: false })
  if (link === undefined) return undefined
  const page = requestFor(request, signedIn)
  if (link.account === undefined && signedIn === undefined) {
    const { message } = new SignInLinkUsed()
    return sendPage(await signInPage(context, page, { message, status: 401 }))
  }
  const isNew = link.account !== undefined && link.account !== signedIn?.session.account
  const cookie = isNew && { 'set-cookie': await openSession(access, request, link.account ?? '') }
  const location = page.root + link.target
  if (!needsOwnPage(raw)) return redirecting(303, location, cookie || {})
  const { title, main } = signedInPage('cards', location)
  const shown = renderMemberPage(context, page, { title, main })
  const headers = { ...shown.headers, ...cookie, refresh: `0; url=${location}` }
  return sendPage({ ...shown, headers })
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
