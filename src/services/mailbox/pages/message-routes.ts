import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formAction } from '../../../kernel/form-token.ts'
import { sendPage } from '../../../kernel/send-page.ts'
import type { Caller } from '../api/access.ts'
import { downloadAttachment, findMessage, sendSource } from '../sandbox/api/messages.ts'
import type { Download } from '../sandbox/api/operation.ts'
import { presentEnvelope } from '../sandbox/api/present.ts'
import { FRAME_HEADERS } from './frame-document.ts'
import { filterOf, pageUrl, readListQuery } from './list-query.ts'
import { mailPage } from './mail-page.ts'
import { messagePanel, VIEWS } from './message-panel.ts'
import { subjectOf } from './message-texts.ts'
import type { PageContext } from './page-context.ts'
import { readFrame, readView, shownAttachments, viewsOf } from './read-message.ts'

type ById = { Params: { message: string } }
type Fields = { Body: Readonly<Record<string, string | undefined>> | undefined }

export function messageRoutes(scope: FastifyInstance, pages: PageContext): void {
  const { store, kernel } = pages.context

  async function readTarget(request: FastifyRequest<ById>) {
    const caller = await pages.callerOf(request)
    return { caller, message: await findMessage(pages.context, caller, request.params.message) }
  }

  async function sendDownload(request: FastifyRequest, reply: FastifyReply, download: Download) {
    const { raw, params } = request
    const caller = await pages.callerOf(request)
    await download(pages.context, {
      caller,
      request: raw,
      response: reply.raw,
      params: Object(params)
    })
    reply.hijack()
  }

  scope.get<ById>('/sandbox/messages/:message', async (request, reply) => {
    const { caller, message } = await readTarget(request)
    const id = request.params.message
    const { view: wanted }: Readonly<Record<string, unknown>> = Object(request.query)
    const views = viewsOf(message)
    const view =
      VIEWS.find((name) => name === wanted && views.includes(name)) ?? views[0] ?? 'source'
    const list = await pages.listFor(request, caller)
    const side = messagePanel({
      ...(await readView(kernel.files, message, view)),
      id,
      message,
      list: list.query,
      views,
      view,
      deliveredTo: (await presentEnvelope(store, caller, message)).to,
      attachments: shownAttachments(message),
      deleteUrl: formAction(request, `/sandbox/messages/${id}/delete`),
      apiUrl: `${kernel.baseUrl(request.raw)}/v1/sandbox/messages/${id}`
    })
    const clearUrl = formAction(request, '/sandbox/messages/clear')
    const title = subjectOf(message.contents)
    return sendPage(reply, mailPage({ title, list, open: id, clearUrl, side, isReading: true }))
  })

  scope.get<ById>('/sandbox/messages/:message/html', async (request, reply) => {
    const { message } = await readTarget(request)
    return reply.headers(FRAME_HEADERS).send(await readFrame(kernel.files, message))
  })

  scope.get('/sandbox/messages/:message/source', (request, reply) =>
    sendDownload(request, reply, sendSource)
  )
  scope.get('/sandbox/messages/:message/parts/:attachment', (request, reply) =>
    sendDownload(request, reply, downloadAttachment)
  )

  scope.post<ById & Fields>('/sandbox/messages/:message/delete', async (request, reply) => {
    const { caller, message } = await readTarget(request)
    const { account, number } = message
    await store.removeMessages({ account, after: number - 1, before: number + 1 })
    return reply.redirect(listUrl(request.body, caller), 303)
  })

  scope.post<Fields>('/sandbox/messages/clear', async (request, reply) => {
    const query = readListQuery({ query: request.body }, await pages.callerOf(request))
    await store.removeMessages({ ...filterOf(query), before: undefined })
    return reply.redirect(pageUrl('/', { account: query.account }), 303)
  })
}

/** The list that the form was on. */
function listUrl(body: Fields['Body'], caller: Caller): string {
  return pageUrl('/', readListQuery({ query: body }, caller))
}
