import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readCaller } from '../../api/access.ts'
import type { MailboxContext } from '../../context.ts'
import { API_HEADERS, JSON_TYPE } from '../../contract.ts'
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

/** In a scope of its own: bodies are read by the operations. */
export function sandboxRoutes(app: FastifyInstance, context: MailboxContext): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
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
  { kernel }: MailboxContext,
  { raw, params }: FastifyRequest,
  reply: FastifyReply
): Promise<OperationRequest> {
  const caller = await readCaller(kernel, raw)
  return {
    caller,
    request: raw,
    response: reply.raw,
    params: params as Readonly<Record<string, string | undefined>>
  }
}
