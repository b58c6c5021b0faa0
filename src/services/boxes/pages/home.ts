import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { browserModulesIn } from '../../../kernel/browser-modules.ts'
import { RouteNotFound } from '../../../kernel/errors.ts'
import { type Page, renderPage, SCRIPTED_PAGE_HEADERS } from '../../../kernel/page.ts'
import { viewBox } from '../box/resolve-box.ts'
import type { BoxContext } from '../context.ts'
import { COMMON_HEADERS, DEFAULT_LIMIT } from '../contract.ts'
import { parseBoxPath } from '../http/box-path.ts'
import { checkKeyForm, findKey } from '../http/credentials.ts'
import { sendJson } from '../http/response.ts'
import { listRecords } from '../list/list.ts'
import { parseListQuery } from '../list/parse-list-query.ts'
import { positionAt } from '../list/row-batches.ts'
import { createScanBudget } from '../list/scan-budget.ts'
import { encodeCursor } from '../query/cursor.ts'
import {
  type HomePage,
  homePage,
  type RecordListView,
  type RecordPage,
  type RejectedInput,
  recordPage
} from './page.ts'

const modules = browserModulesIn(new URL('./browser/', import.meta.url))

/** An id in the form of jsonbox.io; its 80 random bits cannot be guessed. */
function freshBox(): string {
  return `box_${randomBytes(10).toString('hex')}`
}

export async function handleScript(
  _: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<void> {
  const found = modules.respond('box-page', request.headers['if-none-match'])
  if (found === undefined) throw new RouteNotFound(request.method, request.url)
  const { status, headers, body } = found
  await reply
    .code(status)
    .headers({ ...COMMON_HEADERS, ...headers })
    .send(body)
}

/** The box or record to show, and the key that was sent. */
export interface PageRequest {
  readonly box: string
  readonly q: string
  readonly cursor: string
  readonly record: string
  readonly key: string | undefined
}

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
  const [box = '', q = '', cursor = '', record = ''] = ['box', 'q', 'cursor', 'record'].map(
    (name) => parameters.get(name) ?? ''
  )
  await renderPageRequest(context, request, reply, {
    box,
    q,
    cursor,
    record,
    key: findKey(request.headers)
  })
}

/** Shows a box, a record or neither; errors are shown on the page. */
export async function renderPageRequest(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  look: PageRequest,
  rejected?: RejectedInput
): Promise<void> {
  const { box, record } = look
  if (box === '') return sendHome(context, request, reply, { rejected })
  const found = await findLook(context, look).catch(keepRejection)
  if ('message' in found) {
    reply.code(found.statusCode)
    const said: RejectedInput = rejected ?? { what: 'Not shown', message: found.message }
    return sendHome(context, request, reply, { box, rejected: said })
  }
  if (record === '') return sendHome(context, request, reply, { box, view: found.view, rejected })
  return sendRecord(context, request, reply, { box, id: record, record: found.record, rejected })
}

async function findLook(
  context: BoxContext,
  look: PageRequest
): Promise<{ view?: RecordListView; record?: RecordPage['record'] }> {
  const { box, record, key } = look
  const path = boxPathOf(context, record === '' ? [box] : [box, record])
  checkKeyForm(key)
  if (record !== '') return { record: await context.store.find(path.box, path.id ?? '', key) }
  return { view: await readView(context, path.box, look) }
}

export interface Rejection {
  readonly statusCode: number
  readonly message: string
}

export function keepRejection(error: Rejection): Rejection {
  if (error.statusCode === undefined || error.statusCode >= 500) throw error
  return error
}

export function boxPathOf({ options }: BoxContext, segments: readonly string[]) {
  return parseBoxPath(segments.filter((segment) => segment !== '').map(encodeURIComponent), options)
}

async function readView(
  context: BoxContext,
  id: string,
  { box, q, cursor, key }: PageRequest
): Promise<RecordListView> {
  const { scan } = context.store
  const parameters = new URLSearchParams({ limit: String(DEFAULT_LIMIT), cursor })
  if (q !== '') parameters.set('q', q)
  const query = parseListQuery(await viewBox(context, id, undefined, key), parameters)
  const budget = createScanBudget(context.options.scanBudgetMs)
  const { rows, more } = await listRecords(scan, query, false, budget)
  const records = await Promise.all(
    rows.map(async (row) => ({ ...row, raw: row.raw ?? (await scan.readText(row.pk)) ?? '' }))
  )
  const last = rows.at(-1)
  const position = more && last !== undefined ? await positionAt(scan, query.sort, last) : undefined
  return { box, q, records, cursor: position && encodeCursor(query.sort, position) }
}

export async function sendHome(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  page: Omit<HomePage, 'url' | 'freshBox'>
): Promise<void> {
  const url = context.kernel.baseUrl(request.raw)
  await sendPage(context, request, reply, homePage({ ...page, url, freshBox: freshBox() }))
}

async function sendRecord(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  page: RecordPage
): Promise<void> {
  if (page.record === undefined) reply.code(404)
  await sendPage(context, request, reply, recordPage(page))
}

async function sendPage(
  { kernel }: BoxContext,
  { raw }: FastifyRequest,
  reply: FastifyReply,
  page: Page
): Promise<void> {
  await reply
    .headers({ ...COMMON_HEADERS, ...SCRIPTED_PAGE_HEADERS, 'cache-control': 'no-store' })
    .send(renderPage(page, kernel.frame(kernel.baseUrl(raw))))
}
