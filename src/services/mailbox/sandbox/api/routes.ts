import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readCaller } from '../../api/access.ts'
import type { MailboxContext } from '../../context.ts'
import { API_HEADERS, JSON_TYPE } from '../../contract.ts'
import type { Need } from '../../tokens/check-token.ts'
import { addAccount, deleteAccount, listAccounts, showAccount } from './accounts.ts'
import {
  deleteMessage,
  deleteMessages,
  downloadAttachment,
  listMessages,
  sendSource,
  showMessage
} from './messages.ts'
import type { Download, Operation, OperationRequest } from './operation.ts'
import { waitForMessage } from './wait.ts'

const ACCOUNTS = '/v1/sandbox/accounts'
const MESSAGES = '/v1/sandbox/messages'

export const OPERATIONS: readonly [method: 'GET' | 'POST' | 'DELETE', path: string, Operation][] = [
  ['POST', ACCOUNTS, addAccount],
  ['GET', ACCOUNTS, listAccounts],
  ['GET', `${ACCOUNTS}/:account`, showAccount],
  ['DELETE', `${ACCOUNTS}/:account`, deleteAccount],
  ['GET', MESSAGES, listMessages],
  ['DELETE', MESSAGES, deleteMessages],
  ['GET', `${MESSAGES}/:message`, showMessage],
  ['DELETE', `${MESSAGES}/:message`, deleteMessage],
  ['GET', '/v1/sandbox/wait', waitForMessage]
]

export const DOWNLOADS: readonly [path: string, Download][] = [
  [`${MESSAGES}/:message/source`, sendSource],
  [`${MESSAGES}/:message/attachments/:attachment`, downloadAttachment]
]

export function sandboxRoutes(app: FastifyInstance, context: MailboxContext): void {
  for (const [method, url, operate] of OPERATIONS) {
    app.route({
      method,
      url,
      async handler(request, reply) {
        const body = await operate(context, await readOperation(context, request, reply))
        return reply.headers(API_HEADERS).type(JSON_TYPE).send(body)
      }
    })
  }
  for (const [url, download] of DOWNLOADS) {
    app.get(url, async (request, reply) => {
      await download(context, await readOperation(context, request, reply))
      reply.hijack()
    })
  }
}

async function readOperation(
  context: MailboxContext,
  { raw, params, routeOptions: { url = '' } }: FastifyRequest,
  reply: FastifyReply
): Promise<OperationRequest> {
  const exchange = { request: raw, response: reply.raw }
  const sent = params as Readonly<Record<string, string | undefined>>
  const caller = await readCaller(context, exchange, needOf(raw.method, url, sent.account))
  return { ...exchange, caller, params: sent }
}

/**
 * Operations check the accounts of the caller themselves. Accounts are shown with their passwords,
 * so they are not for tokens with permissions.
 */
function needOf(method: string | undefined, url: string, account: string | undefined): Need {
  const group = url.startsWith(ACCOUNTS) ? 'admin' : 'message'
  const action = method === 'DELETE' ? 'destructive' : method === 'POST' ? 'write' : 'read'
  return { scope: 'api', group, action, access: 'own', account }
}
