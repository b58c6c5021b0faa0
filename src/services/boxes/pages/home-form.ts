import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BoxContext } from '../context.ts'
import { COMMON_HEADERS } from '../contract.ts'
import { readBody } from '../http/body.ts'
import { checkKeyForm, findKey } from '../http/credentials.ts'
import { readRecords, requireOne } from '../records/records.ts'
import {
  boxPathOf,
  keepRejection,
  type PageRequest,
  type Rejection,
  renderPageRequest,
  sendHome
} from './home.ts'
import type { RejectedInput } from './page.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Whether a form of the page sent the request; for URLs without a box only. */
export function isForm({ headers }: FastifyRequest): boolean {
  return (headers['content-type'] ?? '').toLowerCase().startsWith(FORM_TYPE)
}

/** The fields of a form of the page. */
interface Filled {
  readonly box: string
  readonly id: string
  readonly rev: string
  readonly record: string
  readonly key: string | undefined
}

/** Runs the action of the button; after an error, the page shows the input again. */
export async function handleForm(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<void> {
  const body = await readBody(request.raw, context.options.maxRequestBytes)
  const form = new URLSearchParams(body?.toString())
  const text = (name: string) => form.get(name) ?? ''
  const key = form.get('key') || findKey(request.headers)
  // Browsers send every line break in a form as CR LF.
  const record = text('record').replaceAll('\r\n', '\n')
  const filled = { box: text('box'), id: text('id'), rev: text('rev'), record, key }
  const { box, id } = filled
  const look: PageRequest = { box, q: text('q'), cursor: '', record: id, key }
  switch (form.get('action')) {
    case 'show':
      return renderPageRequest(context, request, reply, look)
    case 'save':
      return handleDone(context, request, reply, look, 'Not saved', record, save(context, filled))
    case 'delete':
      return handleDone(
        context,
        request,
        reply,
        look,
        'Not deleted',
        undefined,
        remove(context, filled)
      )
    default:
      return handleStored(context, request, reply, filled)
  }
}

async function handleStored(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  filled: Filled
): Promise<void> {
  const { box, record } = filled
  const rejection = await outcomeOf(store(context, request, filled))
  if (rejection === undefined) return goTo(reply, { box })
  reply.code(rejection.statusCode)
  const rejected: RejectedInput = { what: 'Not stored', message: rejection.message, record }
  await sendHome(context, request, reply, { box, rejected })
}

async function handleDone(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  look: PageRequest,
  what: RejectedInput['what'],
  record: string | undefined,
  work: Promise<void>
): Promise<void> {
  const rejection = await outcomeOf(work)
  const { box } = look
  if (rejection === undefined) {
    return goTo(reply, what === 'Not deleted' ? { box } : { box, record: look.record })
  }
  reply.code(rejection.statusCode)
  await renderPageRequest(context, request, reply, look, {
    what,
    message: rejection.message,
    record
  })
}

function outcomeOf(work: Promise<void>): Promise<Rejection | undefined> {
  return work.then(() => undefined, keepRejection)
}

async function goTo(reply: FastifyReply, target: Record<string, string>): Promise<void> {
  await reply.headers(COMMON_HEADERS).redirect(`/?${new URLSearchParams(target)}`, 303)
}

/** Saves only over the revision on the page: another client may have changed the record. */
async function save(context: BoxContext, { box, id, rev, record, key }: Filled): Promise<void> {
  const { box: known } = boxPathOf(context, [box])
  const content = requireOne(await readRecords(Buffer.from(record), context.options))
  const condition = { ifMatch: [Number(rev)] }
  await context.store.replace(content, { box: known, id, key, condition })
}

async function remove(context: BoxContext, { box, id, rev, key }: Filled): Promise<void> {
  const { box: known } = boxPathOf(context, [box])
  await context.store.remove({ box: known, id, key, condition: { ifMatch: [Number(rev)] } })
}

async function store(context: BoxContext, request: FastifyRequest, filled: Filled): Promise<void> {
  const path = boxPathOf(context, [filled.box])
  const content = requireOne(await readRecords(Buffer.from(filled.record), context.options))
  checkKeyForm(filled.key)
  context.countRequest(request.raw)
  // The key that is sent with the first record becomes the owner key of the box.
  await context.store.create({ ...path, key: filled.key, contents: [content] })
}
