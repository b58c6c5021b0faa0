import { createHash } from 'node:crypto'
import { cutText } from '../../../../kernel/cut-text.ts'
import { JoinedBytes } from '../../../../kernel/joined-bytes.ts'
import { isMultipart, type MultipartFile, readMultipart } from '../../../../kernel/multipart.ts'
import { isAnnouncedOver } from '../../../../kernel/request-body.ts'
import { BodyTooLarge, MultipartInvalid, MultipartNeeded, TooManyParts } from '../../contract.ts'
import { bodyChunks } from '../../http/body-chunks.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'
import type { Budget } from './budget.ts'

/** A file of a form, hashed while it was read. */
export interface Received {
  readonly field: string
  readonly filename: string
  readonly content_type: string
  readonly size: number
  readonly sha256: string
  /** Empty if the content is not stored. */
  readonly content: Buffer
}

const MAX_FILES = 20
const MAX_FIELDS = 200
const MAX_NAME_LENGTH = 255
/** Allowance for boundaries, part headers and plain fields in addition to the files. */
const SLACK_BYTES = 1024 * 1024

const ERRORS = {
  invalidType: (cause: Error) => new MultipartInvalid({ cause }),
  invalid: (cause: Error) => new MultipartInvalid({ cause }),
  tooLarge: () => new BodyTooLarge(),
  tooManyParts: () => new TooManyParts()
}

/** Reads `multipart/form-data` in chunks; contents are kept only if there is a budget. */
export async function receiveFiles(
  call: RequestContext,
  budget: Budget | undefined
): Promise<Received[]> {
  const contentType = call.request.headers['content-type'] ?? ''
  if (!isMultipart(contentType)) throw new MultipartNeeded()
  const most = call.context.options.maxUploadBytes
  const limits = {
    files: MAX_FILES,
    fields: MAX_FIELDS,
    parts: MAX_FILES + MAX_FIELDS,
    allFileBytes: most,
    bodyBytes: most + SLACK_BYTES
  }
  if (isAnnouncedOver(call.request, limits.bodyBytes)) throw new BodyTooLarge()
  const files: Promise<Received>[] = []
  await readMultipart(
    bodyChunks(call),
    { contentType, limits, errors: ERRORS, nameCharset: 'utf8' },
    {
      async file(part, content) {
        const received = receive(part, content, budget)
        files.push(received)
        await received
      }
    }
  )
  return Promise.all(files)
}

async function receive(
  { name, filename, contentType }: MultipartFile,
  content: AsyncIterable<Buffer>,
  budget: Budget | undefined
): Promise<Received> {
  const hash = createHash('sha256')
  const kept = new JoinedBytes()
  let size = 0
  for await (const chunk of content) {
    if (budget !== undefined && !budget.take(chunk.length)) throw budget.error()
    size += chunk.length
    hash.update(chunk)
    if (budget !== undefined) kept.add(chunk)
  }
  return {
    field: textOf(name),
    filename: textOf(filename),
    content_type: textOf(contentType),
    size,
    sha256: hash.digest('hex'),
    content: kept.take()
  }
}

function textOf(value: string | undefined): string {
  return cutText((value ?? '').toWellFormed().replace(/\p{Cc}/gu, ''), MAX_NAME_LENGTH)
}
