import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_HEADERS } from '../../kernel/page.ts'
import { readAddress } from './address.ts'
import { sendJson } from './answer.ts'
import { readBody } from './body.ts'
import { COMMON_HEADERS, DEFAULT_LIMIT } from './contract.ts'
import { listRecords } from './list.ts'
import { createPace } from './pace.ts'
import { type HomePage, renderHomePage } from './page.ts'
import { readQuestion } from './question.ts'
import { readRecords, requireOne } from './records.ts'
import type { BoxRoom } from './room.ts'
import type { StoredRecord } from './store/record.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** As the original makes them: nobody guesses 80 random bits. */
function freshBox(): string {
  return `box_${randomBytes(10).toString('hex')}`
}

/** Whether this is the form of the page; no record is sent with such a type to no box. */
export function isForm({ headers }: FastifyRequest): boolean {
  return (headers['content-type'] ?? '').toLowerCase().startsWith(FORM_TYPE)
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
  const box = parameters.get('box') || undefined
  const records = box === undefined ? undefined : await newestOf(room, box)
  await sendPage(room, request, reply, { box, records })
}

/** Stores what was typed and shows the box; what cannot be stored comes back with the reason. */
export async function answerForm(room: BoxRoom, request: FastifyRequest, reply: FastifyReply) {
  const body = await readBody(request.raw, room.options.maxRequestBytes)
  const form = new URLSearchParams(body?.toString())
  const box = form.get('box') ?? ''
  const record = form.get('record') ?? ''
  const failure = await storeTyped(room, request, box, record).then(() => undefined, keepRefusal)
  if (failure === undefined) {
    await reply.headers(COMMON_HEADERS).redirect(`/?box=${encodeURIComponent(box)}`, 303)
    return
  }
  reply.code(failure.statusCode)
  await sendPage(room, request, reply, { box, refused: { record, message: failure.message } })
}

interface Refusal {
  readonly statusCode: number
  readonly message: string
}

function keepRefusal(error: Refusal): Refusal {
  if (error.statusCode === undefined || error.statusCode >= 500) throw error
  return error
}

async function storeTyped(room: BoxRoom, request: FastifyRequest, box: string, record: string) {
  const { options, store } = room
  const address = addressOf(room, box)
  const content = requireOne(readRecords(Buffer.from(record), options))
  room.countRequest(request.raw)
  await store.create({ ...address, key: undefined, contents: [content] })
}

function addressOf({ options }: BoxRoom, box: string) {
  return readAddress(box === '' ? [] : [encodeURIComponent(box)], options)
}

async function newestOf(room: BoxRoom, box: string): Promise<StoredRecord[]> {
  const { scan } = room.store
  const question = readQuestion(
    addressOf(room, box),
    new URLSearchParams({ limit: String(DEFAULT_LIMIT) })
  )
  const pace = createPace(room.options.scanBudgetMs)
  const { rows } = await listRecords(scan, question, false, pace)
  return Promise.all(
    rows.map(async (row) => ({ ...row, raw: row.raw ?? (await scan.readText(row.pk)) ?? '' }))
  )
}

async function sendPage(
  { kernel }: BoxRoom,
  request: FastifyRequest,
  reply: FastifyReply,
  page: Omit<HomePage, 'url' | 'freshBox'>
): Promise<void> {
  const url = kernel.baseUrl(request.raw)
  const text = renderHomePage({ ...page, url, freshBox: freshBox() })
  await reply
    .headers({ ...COMMON_HEADERS, ...PAGE_HEADERS, 'cache-control': 'no-store' })
    .send(text)
}
