import type { FastifyInstance } from 'fastify'
import {
  acceptTokenLink,
  askForToken,
  checkSender,
  rejectOwnCall,
  sentPath
} from '../../../kernel/admin-guard.ts'
import { html } from '../../../kernel/html.ts'
import type { Page } from '../../../kernel/page.ts'
import { frameWith } from '../../../kernel/send-page.ts'
import type { Kernel } from '../../../kernel/service.ts'

/** Health probes send no token, and their responses reveal no data. */
const OPEN_PATHS = ['/__nonet/healthz', '/__nonet/readyz']
const ORIGIN_MESSAGE = 'State changes are only accepted from pages of the same origin'

/**
 * Checks host, origin and admin token of all requests under `/__nonet/`, also for unknown paths.
 */
export function protect(app: FastifyInstance, kernel: Kernel): void {
  const { isKnownHost, formToken } = kernel
  frameWith(app, ({ raw }) => kernel.frame(kernel.baseUrl(raw)))
  app.addHook('onRequest', async function protectAdmin(request, reply) {
    reply.header('cache-control', 'no-store')
    rejectOwnCall(request.headers)
    if (OPEN_PATHS.includes(sentPath(request))) return
    checkSender(request.raw, { isKnownHost, formToken, originMessage: ORIGIN_MESSAGE })
    if (kernel.isAdmin(request.raw)) return
    if (acceptTokenLink(request, reply, kernel.isAdminToken, '/__nonet/')) return reply
    return askForToken(request, reply, { tokenPage, isPrinted: !kernel.loopback })
  })
}

const TEXTS = {
  title: 'Admin token required',
  note: 'nonet is reachable from other machines or through a proxy, so this page requires the token printed at startup.',
  field: 'Admin token',
  button: 'Open'
}

function tokenPage(): Page {
  return {
    title: TEXTS.title,
    crumbs: [{ text: 'mock' }],
    main: html`<p>${TEXTS.note}</p>
<form action="/__nonet/" method="get">
<label>${TEXTS.field}<input name="token" required autocomplete="off" size="40"></label>
<button>${TEXTS.button}</button>
</form>`
  }
}
