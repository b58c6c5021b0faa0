import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { headersOf, type Page, renderPage } from '../../../kernel/page.ts'
import type { BoxContext } from '../context.ts'
import { sendJson } from '../http/response.ts'
import { startPage } from './box-page.ts'
import { alert } from './form-parts.ts'
import { isOperator, readBoxes } from './operator.ts'
import { isRefresh, readPageRequest } from './page-request.ts'
import { explain, type Rejection } from './rejection.ts'
import { renderBox } from './render-box.ts'

const OK = 200

/** An id in the form of jsonbox.io; its 80 random bits cannot be guessed. */
function freshBox(): string {
  return `box_${randomBytes(10).toString('hex')}`
}

/** The start page or the page of a box; JSON with an unused box id for programs. */
export async function handleHome(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  parameters: URLSearchParams
): Promise<void> {
  if (!(request.headers.accept ?? '').includes('text/html')) {
    const box = freshBox()
    sendJson(reply, JSON.stringify({ box, url: `${context.kernel.baseUrl(request.raw)}/${box}` }))
    return
  }
  const look = readPageRequest(parameters, request.headers)
  if (look.box !== '') {
    const extra = isRefresh(parameters) ? { status: OK } : {}
    return sendBox(context, request, reply, look, extra)
  }
  await sendStart(context, request, reply, {
    part: parameters.get('part') ?? '',
    after: parameters.get('after') ?? ''
  })
}

/** The page of a box, or the start page with the reason why there is no such box. */
export async function sendBox(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  ...[look, extra]: ParametersOfBox
): Promise<void> {
  const rendered = await renderBox(context, request, look, extra)
  if ('rejection' in rendered) return sendStart(context, request, reply, {}, rendered.rejection)
  reply.code(rendered.status)
  await send(context, request, reply, rendered.page)
}

type ParametersOfBox =
  Parameters<typeof renderBox> extends [BoxContext, FastifyRequest, ...infer Rest] ? Rest : never

export async function sendStart(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { part = '', after = '' }: { part?: string; after?: string },
  rejection?: Rejection
): Promise<void> {
  const { kernel, store } = context
  const page = startPage({
    url: kernel.baseUrl(request.raw),
    freshBox: freshBox(),
    boxes: isOperator(kernel, request.raw) ? await readBoxes(store, { part, after }) : undefined,
    message: rejection && alert('Not shown', explain(rejection))
  })
  if (rejection !== undefined) reply.code(rejection.statusCode)
  await send(context, request, reply, page)
}

/** Without the CORS headers of the API: pages of other origins must not read the list of boxes. */
async function send(
  { kernel }: BoxContext,
  { raw }: FastifyRequest,
  reply: FastifyReply,
  page: Page
): Promise<void> {
  await reply
    .headers({ ...headersOf(page), 'cache-control': 'no-store' })
    .send(renderPage(page, kernel.frame(kernel.baseUrl(raw))))
}
