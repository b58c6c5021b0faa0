import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { bodyChunks } from '../body-chunks.ts'
import type { Call } from '../call.ts'
import { BodyTooLarge, MultipartInvalid, MultipartNeeded, TooManyParts } from '../contract.ts'
import type { Budget } from './budget.ts'

/** One file of a form, hashed while it passed. */
export interface Received {
  readonly field: string
  readonly filename: string
  readonly content_type: string
  readonly size: number
  readonly sha256: string
  /** Nothing unless it is to be kept. */
  readonly chunks: readonly Buffer[]
}

const MAX_FILES = 20
const MAX_FIELDS = 200
const MAX_NAME_LENGTH = 255
/** What boundaries, part headers and plain fields may add to the files. */
const SLACK_BYTES = 1024 * 1024

/** Reads `multipart/form-data` piece by piece; a budget means that contents are kept. */
export async function receiveFiles(call: Call, budget: Budget | undefined): Promise<Received[]> {
  const { headers } = call.request
  if (!isMultipart(headers)) throw new MultipartNeeded()
  const most = call.room.options.maxUploadBytes
  if (Number(headers['content-length'] ?? 0) > most + SLACK_BYTES) throw new BodyTooLarge()
  const { default: busboy } = await import('busboy')
  const files: Received[] = []
  let left = most
  let failure: Error | undefined
  const parser = openParser(() =>
    busboy({
      headers,
      defParamCharset: 'utf8',
      limits: { files: MAX_FILES, fields: MAX_FIELDS, parts: MAX_FILES + MAX_FIELDS }
    })
  )
  const refuse = (error: Error) => {
    failure ??= error
    parser.destroy(error)
  }
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
    parser.on(limit, () => refuse(new TooManyParts()))
  }
  parser.on('file', (field, file, { filename, mimeType }) => {
    const hash = createHash('sha256')
    const chunks: Buffer[] = []
    let size = 0
    // What is wrong with a file is wrong with the whole form, and told there.
    file.on('error', () => undefined)
    file.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) return refuse(new BodyTooLarge())
      if (budget !== undefined && !budget.take(chunk.length)) return refuse(budget.refusal())
      size += chunk.length
      hash.update(chunk)
      if (budget !== undefined) chunks.push(chunk)
    })
    file.on('end', () => {
      const sha256 = hash.digest('hex')
      const content_type = textOf(mimeType).toLowerCase()
      files.push({
        field: textOf(field),
        filename: textOf(filename),
        content_type,
        size,
        sha256,
        chunks
      })
    })
  })
  try {
    await pipeline(Readable.from(limited(call, most + SLACK_BYTES)), parser)
  } catch (error) {
    throw failure ?? ours(error as Error)
  }
  if (failure !== undefined) throw failure
  return files
}

function isMultipart(headers: IncomingHttpHeaders): boolean {
  return /^multipart\/form-data\s*;/i.test(headers['content-type'] ?? '')
}

function openParser<Parser>(open: () => Parser): Parser {
  try {
    return open()
  } catch (cause) {
    throw new MultipartInvalid({ cause })
  }
}

/** A failure of our vocabulary, or the parser's opinion on what was sent. */
function ours(error: Error): Error {
  return 'statusCode' in error ? error : new MultipartInvalid({ cause: error })
}

async function* limited(call: Call, most: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of bodyChunks(call)) {
    size += chunk.length
    if (size > most) throw new BodyTooLarge()
    yield chunk
  }
}

function textOf(value: string | undefined): string {
  return (value ?? '')
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .slice(0, MAX_NAME_LENGTH)
}
