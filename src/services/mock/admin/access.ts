import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { adminCookie, isForeign } from '../../../kernel/admin.ts'
import { ForeignHost, TokenMissing } from '../../../kernel/failures.ts'
import { html, PAGE_HEADERS, renderPage } from '../../../kernel/page.ts'
import type { Kernel } from '../../../kernel/service.ts'
import { ForeignOrigin } from './failures.ts'
import { wantsPage } from './page.ts'

/** A probe has no token and learns nothing here. */
const OPEN_PATHS = ['/__nonet/healthz', '/__nonet/readyz']
const SAFE_METHODS = ['GET', 'HEAD']

/** What stands between strangers and the window; addresses that do not exist are no exception. */
export function protect(app: FastifyInstance, kernel: Kernel): void {
  app.addHook('onRequest', async function protectAdmin(request, reply) {
    const { searchParams } = new URL(request.url, 'http://mock.localhost')
    reply.header('cache-control', 'no-store')
    // As it was sent: what a URL makes of dots and backslashes is not where the request goes.
    if (OPEN_PATHS.includes(request.url.split('?', 1)[0] ?? '')) return
    if (!kernel.isKnownHost(request.headers.host ?? '')) throw new ForeignHost()
    if (!SAFE_METHODS.includes(request.method) && isForeign(request.headers)) {
      throw new ForeignOrigin()
    }
    if (kernel.isAdmin(request.raw)) return
    const token = searchParams.get('token')
    if (token !== null && kernel.isAdmin({ headers: { authorization: `Bearer ${token}` } })) {
      // The browser gets a cookie and a clean address.
      return reply.header('set-cookie', adminCookie(token)).redirect('/__nonet/', 303)
    }
    return refuse(request, reply)
  })
}

function refuse(request: FastifyRequest, reply: FastifyReply) {
  const missing = new TokenMissing()
  if (!wantsPage(request)) throw missing
  return reply.code(401).headers(PAGE_HEADERS).send(renderTokenPage())
}

const TEXTS = {
  title: 'Admin token needed',
  note: 'nonet can be reached by other machines, so this page asks for the token printed at its start.',
  field: 'Admin token',
  button: 'Open'
}

function renderTokenPage(): string {
  return renderPage({
    title: TEXTS.title,
    crumbs: [{ text: 'mock' }],
    main: html`<p>${TEXTS.note}</p>
<form action="/__nonet/" method="get">
<label>${TEXTS.field}<input name="token" required autocomplete="off" size="40"></label>
<button>${TEXTS.button}</button>
</form>`
  })
}
