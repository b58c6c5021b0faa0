import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { browserModulesIn } from '../../../kernel/browser-modules.ts'
import { createChangeStreams } from '../../../kernel/change-streams.ts'
import { RouteNotFound } from '../../../kernel/errors.ts'
import { formAction } from '../../../kernel/form-token.ts'
import type { PageSessions } from '../../../kernel/page-session.ts'
import { sendPage } from '../../../kernel/send-page.ts'
import type { MailboxContext } from '../context.ts'
import { serverAddresses } from '../sandbox/server-addresses.ts'
import { protectPages } from './access.ts'
import { accountRoutes } from './account-routes.ts'
import { readListQuery } from './list-query.ts'
import { readMailList } from './mail-list.ts'
import { mailPage } from './mail-page.ts'
import { messageRoutes } from './message-routes.ts'
import type { PageContext } from './page-context.ts'
import { setupPanels } from './setup-panels.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'
const MESSAGE_ID = /^[\w-]{11}$/
const modules = browserModulesIn(new URL('./browser/', import.meta.url))

/** Pages at `/` and `/sandbox/`; the API has other access checks. */
export function pageRoutes(
  app: FastifyInstance,
  context: MailboxContext,
  sessions: PageSessions
): void {
  const live = createChangeStreams(context.kernel)
  context.stopping.addEventListener('abort', live.close)
  if (context.stopping.aborted) live.close()
  app.register(async (scope) => {
    const parts: PageContext = {
      context,
      callerOf: protectPages(scope, context.kernel, sessions),
      serversFor({ raw }) {
        const servers = serverAddresses(context, raw)
        return servers && { ...servers, api: context.kernel.baseUrl(raw) }
      },
      listFor: (request, caller) =>
        readMailList(context.store, caller, readListQuery(request, caller))
    }
    scope.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, (_request, text, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(text))))
    })
    scope.get('/', (request, reply) => sendHome(parts, request, reply))
    scope.get('/events', async (request, reply) => {
      const caller = await parts.callerOf(request)
      const { account } = readListQuery(request, caller)
      const isLive = live.follow(reply.raw, (listener) => context.store.watch(account, listener))
      // EventSource does not reconnect after a 204.
      return isLive ? reply.hijack() : reply.code(204).send()
    })
    scope.get<{ Params: { file: string } }>('/assets/:file', (request, reply) => {
      const name = request.params.file.replace(/\.(js|ts)$/, '')
      const found = modules.respond(name, request.headers['if-none-match'])
      if (found === undefined) throw new RouteNotFound(request.method, request.url)
      return reply.code(found.status).headers(found.headers).send(found.body)
    })
    messageRoutes(scope, parts)
    accountRoutes(scope, parts)
  })
}

async function sendHome(
  { callerOf, serversFor, listFor }: PageContext,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const caller = await callerOf(request)
  const list = await listFor(request, caller)
  const { open }: Readonly<Record<string, unknown>> = Object(request.query)
  const side = setupPanels({
    caller,
    servers: serversFor(request),
    accounts: list.accounts,
    addUrl: formAction(request, '/sandbox/accounts')
  })
  const clearUrl = formAction(request, '/sandbox/messages/clear')
  const marked = typeof open === 'string' && MESSAGE_ID.test(open) ? open : undefined
  return sendPage(reply, mailPage({ list, open: marked, clearUrl, side, isReading: false }))
}
