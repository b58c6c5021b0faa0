import type { FastifyReply, FastifyRequest } from 'fastify'
import { readBody } from './body.ts'
import { COMMON_HEADERS } from './contract.ts'
import { checkKeyForm, findKey } from './credentials.ts'
import { addressOf, keepRefusal, type Look, type Refusal, sendHome, showLook } from './home.ts'
import type { Refused } from './page.ts'
import { readRecords, requireOne } from './records.ts'
import type { BoxRoom } from './room.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Whether this is a form of the page; no record is sent with such a type to no box. */
export function isForm({ headers }: FastifyRequest): boolean {
  return (headers['content-type'] ?? '').toLowerCase().startsWith(FORM_TYPE)
}

/** What a form of the page asks for. */
interface Filled {
  readonly box: string
  readonly id: string
  readonly rev: string
  readonly record: string
  readonly key: string | undefined
}

/** Does what the button says; what cannot be done comes back with what was typed. */
export async function answerForm(
  room: BoxRoom,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<void> {
  const body = await readBody(request.raw, room.options.maxRequestBytes)
  const form = new URLSearchParams(body?.toString())
  const text = (name: string) => form.get(name) ?? ''
  const key = form.get('key') || findKey(request.headers)
  // Browsers send every line break of a form as two characters.
  const record = text('record').replaceAll('\r\n', '\n')
  const filled = { box: text('box'), id: text('id'), rev: text('rev'), record, key }
  const { box, id } = filled
  const look: Look = { box, q: text('q'), cursor: '', record: id, key }
  switch (form.get('action')) {
    case 'show':
      return showLook(room, request, reply, look)
    case 'save':
      return answerDone(room, request, reply, look, 'Not saved', record, save(room, filled))
    case 'delete':
      return answerDone(room, request, reply, look, 'Not deleted', undefined, remove(room, filled))
    default:
      return answerStored(room, request, reply, filled)
  }
}

async function answerStored(
  room: BoxRoom,
  request: FastifyRequest,
  reply: FastifyReply,
  filled: Filled
): Promise<void> {
  const { box, record } = filled
  const refusal = await outcomeOf(store(room, request, filled))
  if (refusal === undefined) return goTo(reply, { box })
  reply.code(refusal.statusCode)
  const refused: Refused = { what: 'Not stored', message: refusal.message, record }
  await sendHome(room, request, reply, { box, refused })
}

async function answerDone(
  room: BoxRoom,
  request: FastifyRequest,
  reply: FastifyReply,
  look: Look,
  what: Refused['what'],
  record: string | undefined,
  work: Promise<void>
): Promise<void> {
  const refusal = await outcomeOf(work)
  const { box } = look
  if (refusal === undefined) {
    return goTo(reply, what === 'Not deleted' ? { box } : { box, record: look.record })
  }
  reply.code(refusal.statusCode)
  await showLook(room, request, reply, look, { what, message: refusal.message, record })
}

function outcomeOf(work: Promise<void>): Promise<Refusal | undefined> {
  return work.then(() => undefined, keepRefusal)
}

async function goTo(reply: FastifyReply, target: Record<string, string>): Promise<void> {
  await reply.headers(COMMON_HEADERS).redirect(`/?${new URLSearchParams(target)}`, 303)
}

/** Only what the page was made from; somebody may have changed the record since. */
async function save(room: BoxRoom, { box, id, rev, record, key }: Filled): Promise<void> {
  const { box: known } = addressOf(room, [box])
  const content = requireOne(await readRecords(Buffer.from(record), room.options))
  const condition = { ifMatch: [Number(rev)] }
  await room.store.replace(content, { box: known, id, key, condition })
}

async function remove(room: BoxRoom, { box, id, rev, key }: Filled): Promise<void> {
  const { box: known } = addressOf(room, [box])
  await room.store.remove({ box: known, id, key, condition: { ifMatch: [Number(rev)] } })
}

async function store(room: BoxRoom, request: FastifyRequest, filled: Filled): Promise<void> {
  const address = addressOf(room, [filled.box])
  const content = requireOne(await readRecords(Buffer.from(filled.record), room.options))
  checkKeyForm(filled.key)
  room.countRequest(request.raw)
  // A key claims a box when it comes with the first record.
  await room.store.create({ ...address, key: filled.key, contents: [content] })
}
