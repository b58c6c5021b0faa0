import type { FastifyReply, FastifyRequest } from 'fastify'
import { readMultipart } from '../../../kernel/multipart.ts'
import { requestChunks } from '../../../kernel/request-body.ts'
import type { BoxContext } from '../context.ts'
import { BodyAborted, BodyEmpty, BodyTooLarge } from '../contract.ts'
import { parseBoxPath } from '../http/box-path.ts'
import { checkKeyForm } from '../http/credentials.ts'
import { type Imported, importLines } from '../import-export/import.ts'
import { sendBox, sendStart } from './home.ts'
import { type PageRequest, readPageRequest } from './page-request.ts'
import { keepRejection, type Rejection } from './rejection.ts'

/** Characters of the lines that are typed; a file has no limit. */
const MAX_FIELD_BYTES = 1024 * 1024
const MAX_PARTS = 20

/** Stores the lines of a file while it arrives, or else those of the text area. */
export async function handleImportForm(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<void> {
  const fields = new URLSearchParams()
  let imported: Imported | undefined
  const tooLarge = () => new BodyTooLarge(MAX_FIELD_BYTES / 1024)

  async function take(lines: AsyncIterable<Buffer>): Promise<Imported> {
    const { box, key } = await requireAccess(context, readPageRequest(fields, request.headers))
    context.countRequest(request.raw)
    const dependencies = { store: context.store, options: context.options, now: context.kernel.now }
    return importLines(dependencies, { box, key, operator: false }, lines)
  }

  async function read(): Promise<void> {
    await readMultipart(
      requestChunks(request.raw, () => new BodyAborted()),
      {
        contentType: request.headers['content-type'] ?? '',
        limits: { parts: MAX_PARTS, fieldBytes: MAX_FIELD_BYTES },
        errors: {
          invalidType: () => new BodyEmpty(),
          invalid: () => new BodyAborted(),
          tooLarge,
          tooManyParts: tooLarge
        },
        nameCharset: 'utf8'
      },
      {
        field: ({ name = '' }, value) => fields.append(name, value),
        async file({ filename }, content) {
          if (filename !== undefined && filename !== '') imported = await take(content)
        }
      }
    )
    const typed = fields.get('lines') ?? ''
    if (imported === undefined && typed.trim() !== '') imported = await take(linesOf(typed))
  }

  const rejection = await read().then(() => undefined, keepRejection)
  const look = readPageRequest(fields, request.headers)
  if (look.box === '') {
    return sendStart(context, request, reply, {}, rejection ?? (new BodyEmpty() as Rejection))
  }
  const extra =
    rejection === undefined
      ? { imported: imported ?? ('nothing' as const) }
      : { failed: { title: 'Not imported', rejection } }
  await sendBox(context, request, reply, { ...look, tab: 'exchange' }, extra)
}

/** A client that may not write is rejected before its lines are read. */
async function requireAccess({ store, options }: BoxContext, { box: id, key }: PageRequest) {
  const { box } = parseBoxPath([encodeURIComponent(id)], options)
  checkKeyForm(key)
  await store.checkAccess(box, key)
  return { box, key }
}

async function* linesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}
