import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Busboy } from 'busboy'

/** Loads busboy with the first multipart body. */
const require = createRequire(import.meta.url)

/** Undefined means unlimited. Part headers over 16 KiB always make a body invalid. */
export interface MultipartLimits {
  files?: number
  fields?: number
  /** Fields and files together; the number must stay below this limit. */
  parts?: number
  /** Bytes of one field's value. */
  fieldBytes?: number
  /** Bytes of one file. */
  fileBytes?: number
  /** Bytes of all files together. */
  allFileBytes?: number
  /** Bytes of the whole body, boundaries and part headers included. */
  bodyBytes?: number
}

/** Creates the errors of the calling service. */
export interface MultipartErrors {
  /** The content type is not multipart, or has no valid boundary. */
  invalidType: (cause: Error) => Error
  invalid: (cause: Error) => Error
  tooLarge: () => Error
  tooManyParts: () => Error
}

export interface MultipartPart {
  /** Undefined if the part has no name. */
  readonly name: string | undefined
  /** In lower case; `text/plain` by default. */
  readonly contentType: string
}

export interface MultipartFile extends MultipartPart {
  /** Without folders; undefined if the part has no file name. */
  readonly filename: string | undefined
}

export interface MultipartHandlers {
  /** If undefined, fields are neither stored nor limited. */
  field?: (part: MultipartPart, value: string) => void
  /** Applies backpressure to the source. Content that is left unread is discarded. */
  file: (part: MultipartFile, content: AsyncIterable<Buffer>) => Promise<void>
}

export interface MultipartOptions {
  contentType: string
  limits: MultipartLimits
  errors: MultipartErrors
  /** Charset of names in part headers; ISO 8859-1 by default. */
  nameCharset?: 'utf8'
}

/** Contains a few hundred parts at most, each of which takes some 50 µs. */
const SLICE_BYTES = 16 * 1024

export function isMultipart(contentType: string | undefined): boolean {
  return /^multipart\/form-data\s*;/i.test(contentType ?? '')
}

/** Reads `multipart/form-data` part by part; rejects with the first error of handlers or source. */
export async function readMultipart(
  source: AsyncIterable<Buffer> | Uint8Array,
  options: MultipartOptions,
  handlers: MultipartHandlers
): Promise<void> {
  const { limits, errors } = options
  const parser = openParser(options)
  const closed = Promise.withResolvers<void>()
  const busy: Promise<void>[] = []
  let problem: unknown
  let left = limits.allFileBytes ?? Number.POSITIVE_INFINITY

  function fail(error: unknown): void {
    problem ??= error
    parser.destroy()
  }

  async function* contentOf(stream: Readable): AsyncGenerator<Buffer> {
    let leftOfFile = limits.fileBytes ?? Number.POSITIVE_INFINITY
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      left -= chunk.length
      leftOfFile -= chunk.length
      if (left < 0 || leftOfFile < 0) throw errors.tooLarge()
      yield chunk
    }
  }

  async function handleFile(stream: Readable, part: MultipartFile): Promise<void> {
    try {
      await handlers.file(part, contentOf(stream))
      stream.resume()
    } catch (error) {
      // The parser also emits the error of a stream that was cut off.
      if (stream.errored === null) fail(error)
    }
  }

  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
    parser.on(limit, () => fail(errors.tooManyParts()))
  }
  parser.on('file', (name: string | undefined, stream, { filename, mimeType }) => {
    stream.on('error', () => undefined)
    // The parser goes on after a malformed header, but never ends a file that begins after that.
    if (problem !== undefined) return
    busy.push(handleFile(stream, { name, filename, contentType: mimeType }))
  })
  const { field } = handlers
  if (field !== undefined) {
    parser.on('field', (name: string | undefined, value, { valueTruncated, mimeType }) => {
      if (problem !== undefined) return
      if (valueTruncated) return fail(errors.tooLarge())
      try {
        field({ name, contentType: mimeType }, value)
      } catch (error) {
        fail(error)
      }
    })
  }
  parser.on('error', (error: Error) => fail(errors.invalid(error)))
  parser.on('close', closed.resolve)
  const chunks = source instanceof Uint8Array ? slicesOf(source) : source
  feed(parser, chunks, limits.bodyBytes, errors.tooLarge).catch(fail)
  await closed.promise
  await Promise.all(busy)
  if (problem !== undefined) throw problem
}

function openParser({ contentType, limits, errors, nameCharset }: MultipartOptions): Busboy {
  try {
    const busboy: typeof import('busboy') = require('busboy')
    const { files, fields, parts, fieldBytes } = limits
    return busboy({
      headers: { 'content-type': contentType },
      ...(nameCharset === undefined ? {} : { defParamCharset: nameCharset }),
      limits: {
        ...(files === undefined ? {} : { files }),
        ...(fields === undefined ? {} : { fields }),
        ...(parts === undefined ? {} : { parts }),
        // One more, because the parser marks a value of exactly `fieldSize` as truncated.
        ...(fieldBytes === undefined ? {} : { fieldSize: fieldBytes + 1 })
      }
    })
  } catch (error) {
    throw errors.invalidType(error as Error)
  }
}

/** Lets other requests pass after each slice, because the parser reads a whole slice at once. */
async function* slicesOf(bytes: Uint8Array): AsyncGenerator<Buffer> {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let start = 0; start < whole.length; start += SLICE_BYTES) {
    if (start > 0) await setImmediate()
    yield whole.subarray(start, start + SLICE_BYTES)
  }
}

/** Returns when the parser is destroyed, even if the source has not ended. */
async function feed(
  parser: Busboy,
  source: AsyncIterable<Buffer>,
  maxBytes = Number.POSITIVE_INFINITY,
  tooLarge: () => Error
): Promise<void> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge()
    const isFull = !parser.write(chunk)
    if (parser.destroyed) return
    if (isFull) await drained(parser)
  }
  parser.end()
}

async function drained(parser: Busboy): Promise<void> {
  const settled = new AbortController()
  const { signal } = settled
  try {
    await Promise.race([once(parser, 'drain', { signal }), once(parser, 'close', { signal })])
  } finally {
    settled.abort()
  }
}
