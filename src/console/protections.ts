import createError from '@fastify/error'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { adminCookie, holdsToken, isForeign, isSame } from '../kernel/admin.ts'
import { ForeignHost, TokenMissing } from '../kernel/failures.ts'
import { PAGE_HEADERS } from '../kernel/page.ts'
import { renderTokenPage } from './start-page.ts'

export const ForeignOrigin = createError(
  'FOREIGN_ORIGIN',
  'State changes are taken from the console itself only',
  403
)

export interface Protections {
  isKnownHost: (host: string) => boolean
  /** Asked for when it is set, that is beyond loopback. */
  token: string | undefined
}

/** A probe has no token and learns nothing here. */
const OPEN_PATHS = ['/healthz', '/readyz']
const SAFE_METHODS = ['GET', 'HEAD']

/** What stands between a web page somewhere else and the console. */
export function protect(app: FastifyInstance, { isKnownHost, token }: Protections): void {
  app.addHook('onRequest', async function protectConsole(request, reply) {
    if (!isKnownHost(request.headers.host ?? '')) throw new ForeignHost()
    if (!SAFE_METHODS.includes(request.method) && isForeign(request.headers))
      throw new ForeignOrigin()
    if (token === undefined || OPEN_PATHS.includes(request.url.split('?', 1)[0] ?? '')) return
    if (holdsToken(request.headers, token)) return
    if (takesTokenFromLink(request, reply, token)) return reply
    const missing = new TokenMissing()
    if (!request.headers.accept?.includes('text/html')) throw missing
    return reply.code(401).headers(PAGE_HEADERS).send(renderTokenPage(missing.message))
  })
}

/** `/?token=…` as printed at the start: the browser gets a cookie and a clean address. */
function takesTokenFromLink(request: FastifyRequest, reply: FastifyReply, token: string): boolean {
  const url = new URL(request.url, 'http://console.localhost')
  if (!isSame(url.searchParams.get('token') ?? undefined, token)) return false
  reply.header('set-cookie', adminCookie(token)).redirect(url.pathname, 303)
  return true
}
