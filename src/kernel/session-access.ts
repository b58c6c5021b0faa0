import type { IncomingMessage, ServerResponse } from 'node:http'
import { OriginNotAllowed, SAFE_METHODS } from './admin-guard.ts'
import { hasFormToken } from './form-token.ts'
import { FormTokenMissing } from './page-errors.ts'
import { LINK_PARAMETER, type PageSession, type PageSessions } from './page-session.ts'
import { parseRequestTarget } from './request-target.ts'

const TOKEN_PARAMETER = 'token'

type Sent = Pick<IncomingMessage, 'method' | 'headers'>

/** The origin of pages for this reader, who may also use the port although a public URL is set. */
export function pageOrigin({ headers }: Pick<IncomingMessage, 'headers'>, baseUrl: string): string {
  const { host, origin } = new URL(baseUrl)
  return headers.host?.toLowerCase() === host ? origin : `http://${headers.host}`
}

export interface SessionChange {
  /** Path and query as they were sent. */
  target: string
  /** Of the pages of the service (`pageOrigin`). */
  origin: string
  session: Pick<PageSession, 'secret'>
}

/**
 * Throws if a request that changes state was not sent by a form or script of this session's pages.
 * Cookies know no ports, so the session alone does not show which page sent a request.
 */
export function checkChange(
  { method = 'GET', headers }: Sent,
  { target, origin, session }: SessionChange
): void {
  if (SAFE_METHODS.includes(method)) return
  if (headers.origin !== origin) {
    throw new OriginNotAllowed(
      `Signed-in browsers may change state only from pages of ${origin}; behind a proxy, set --public-url`
    )
  }
  if (!hasFormToken({ method, url: target }, session.secret)) throw new FormTokenMissing()
}

/** A page was opened with a code or token in its URL. */
export interface FollowedLink {
  /** Of the code or token; undefined if it is not valid. */
  account: string | undefined
  isCode: boolean
  /** Path and query without them. */
  target: string
}

/**
 * The link printed at startup has a token, one of the console a code that is valid once; undefined
 * if the request has neither. Without `acceptsToken` a token is a parameter like any other.
 */
export async function readLink(
  request: IncomingMessage,
  sent: string,
  sessions: Pick<PageSessions, 'verify' | 'useLink'>,
  { acceptsToken }: { acceptsToken: boolean }
): Promise<FollowedLink | undefined> {
  if (!SAFE_METHODS.includes(request.method ?? 'GET')) return undefined
  const { path, query } = parseRequestTarget(sent)
  const parameters = new URLSearchParams(query)
  const token = acceptsToken ? parameters.get(TOKEN_PARAMETER) : null
  const code = parameters.get(LINK_PARAMETER)
  if (token === null && code === null) return undefined
  const account =
    code === null ? await sessions.verify(token ?? '', request) : await sessions.useLink(code)
  if (acceptsToken) parameters.delete(TOKEN_PARAMETER)
  parameters.delete(LINK_PARAMETER)
  const rest = parameters.size === 0 ? '' : `?${parameters}`
  return { account, isCode: code !== null, target: localPath(path) + rest }
}

/** A browser would read two leading slashes or backslashes as the name of another host. */
function localPath(path: string): string {
  return path.replace(/^[/\\]+/, '/')
}

/** After a redirect of another site the browser would not send the cookie, which is `Strict`. */
export function needsOwnPage({ headers }: Sent): boolean {
  return headers['sec-fetch-site'] === 'cross-site'
}

/** Event streams, which end with their session. */
export interface SessionStreams {
  add: (session: PageSession, response: ServerResponse) => void
  /** Ends those of a session, or all. */
  end: (session?: Pick<PageSession, 'secret'>) => void
}

export function createSessionStreams(now: () => number): SessionStreams {
  const open = new Map<string, Set<ServerResponse>>()
  return {
    add({ secret, expiresAt }, response) {
      const streams = open.get(secret) ?? new Set()
      open.set(secret, streams.add(response))
      const timer = setTimeout(() => response.end(), expiresAt - now()).unref()
      response.once('close', () => {
        clearTimeout(timer)
        streams.delete(response)
        if (streams.size === 0) open.delete(secret)
      })
    },
    end(session) {
      const ended = session === undefined ? [...open.values()] : [open.get(session.secret) ?? []]
      for (const streams of ended) for (const response of streams) response.end()
    }
  }
}
