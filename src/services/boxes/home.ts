import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { browserModulesIn } from '../../kernel/browser-modules.ts'
import { RouteNotFound } from '../../kernel/failures.ts'
import { SCRIPTED_PAGE_HEADERS } from '../../kernel/page.ts'
import { readAddress } from './address.ts'
import { sendJson } from './answer.ts'
import { COMMON_HEADERS, DEFAULT_LIMIT } from './contract.ts'
import { checkKeyForm, findKey } from './credentials.ts'
import { listRecords } from './list.ts'
import { createPace } from './pace.ts'
import {
  type BoxView,
  type HomePage,
  type RecordPage,
  type Refused,
  renderHomePage,
  renderRecordPage
} from './page.ts'
import { encodeCursor } from './query/cursor.ts'
import { readQuestion } from './question.ts'
import type { BoxRoom } from './room.ts'
import { positionAt } from './slices.ts'
import { viewBox } from './view.ts'

const modules = browserModulesIn(new URL('./browser/', import.meta.url))

/** As the original makes them: nobody guesses 80 random bits. */
function freshBox(): string {
  return `box_${randomBytes(10).toString('hex')}`
}

export async function answerScript(
  _: BoxRoom,
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

/** What somebody looks at, and with which key. */
export interface Look {
  readonly box: string
  readonly q: string
  readonly cursor: string
  readonly record: string
  readonly key: string | undefined
}

export async function answerHome(
  room: BoxRoom,
  request: FastifyRequest,
  reply: FastifyReply,
  parameters: URLSearchParams
): Promise<void> {
  if (!(request.headers.accept ?? '').includes('text/html')) {
    const box = freshBox()
    sendJson(reply, JSON.stringify({ box, url: `${room.kernel.baseUrl(request.raw)}/${box}` }))
    return
  }
  const [box = '', q = '', cursor = '', record = ''] = ['box', 'q', 'cursor', 'record'].map(
    (name) => parameters.get(name) ?? ''
  )
  await showLook(room, request, reply, { box, q, cursor, record, key: findKey(request.headers) })
}

/** A box, a record of it, or neither; what cannot be shown is said on the page. */
export async function showLook(
  room: BoxRoom,
  request: FastifyRequest,
  reply: FastifyReply,
  look: Look,
  refused?: Refused
): Promise<void> {
  const { box, record } = look
  if (box === '') return sendHome(room, request, reply, { refused })
  const found = await findLook(room, look).catch(keepRefusal)
  if ('message' in found) {
    reply.code(found.statusCode)
    const said: Refused = refused ?? { what: 'Not shown', message: found.message }
    return sendHome(room, request, reply, { box, refused: said })
  }
  if (record === '') return sendHome(room, request, reply, { box, view: found.view, refused })
  return sendRecord(reply, { box, id: record, record: found.record, refused })
}

async function findLook(
  room: BoxRoom,
  look: Look
): Promise<{ view?: BoxView; record?: RecordPage['record'] }> {
  const { box, record, key } = look
  const address = addressOf(room, record === '' ? [box] : [box, record])
  checkKeyForm(key)
  if (record !== '') return { record: await room.store.find(address.box, address.id ?? '', key) }
  return { view: await readView(room, address.box, look) }
}

export interface Refusal {
  readonly statusCode: number
  readonly message: string
}

export function keepRefusal(error: Refusal): Refusal {
  if (error.statusCode === undefined || error.statusCode >= 500) throw error
  return error
}

export function addressOf({ options }: BoxRoom, segments: readonly string[]) {
  return readAddress(segments.filter((segment) => segment !== '').map(encodeURIComponent), options)
}

async function readView(
  room: BoxRoom,
  id: string,
  { box, q, cursor, key }: Look
): Promise<BoxView> {
  const { scan } = room.store
  const parameters = new URLSearchParams({ limit: String(DEFAULT_LIMIT), cursor })
  if (q !== '') parameters.set('q', q)
  const question = readQuestion(await viewBox(room, id, undefined, key), parameters)
  const pace = createPace(room.options.scanBudgetMs)
  const { rows, more } = await listRecords(scan, question, false, pace)
  const records = await Promise.all(
    rows.map(async (row) => ({ ...row, raw: row.raw ?? (await scan.readText(row.pk)) ?? '' }))
  )
  const last = rows.at(-1)
  const position =
    more && last !== undefined ? await positionAt(scan, question.sort, last) : undefined
  return { box, q, records, cursor: position && encodeCursor(question.sort, position) }
}

export async function sendHome(
  { kernel }: BoxRoom,
  request: FastifyRequest,
  reply: FastifyReply,
  page: Omit<HomePage, 'url' | 'freshBox'>
): Promise<void> {
  const url = kernel.baseUrl(request.raw)
  await sendPage(reply, renderHomePage({ ...page, url, freshBox: freshBox() }))
}

async function sendRecord(reply: FastifyReply, page: RecordPage): Promise<void> {
  if (page.record === undefined) reply.code(404)
  await sendPage(reply, renderRecordPage(page))
}

async function sendPage(reply: FastifyReply, text: string): Promise<void> {
  await reply
    .headers({ ...COMMON_HEADERS, ...SCRIPTED_PAGE_HEADERS, 'cache-control': 'no-store' })
    .send(text)
}
