import type { FastifyError } from 'fastify'
import { type Line, readLines } from '../../../kernel/read-lines.ts'
import { BodyAborted, BodyTooLarge, type ErrorDetails, LineInvalid } from '../contract.ts'
import type { BoxOptions } from '../settings.ts'
import type { FileTarget, Filing } from '../store/file.ts'
import type { BoxStore } from '../store/store.ts'
import { decodeText } from '../text/decode.ts'
import { readLine } from './record-line.ts'

const KIB = 1024
/** Maximum number of records and of characters in one transaction. */
const BATCH = 200
const BATCH_LENGTH = 1024 * KIB
/** Maximum difference between the clocks of two machines. */
const SKEW_MS = 60_000
const LISTED_ERRORS = 100
/** A line has at most the text, the text again with escapes, and the system fields. */
const LINE_FACTOR = 3
const LINE_EXTRA = 4 * KIB

export interface LineError {
  readonly line: number
  readonly message: string
  readonly code: string
  readonly position?: number | undefined
  readonly reason?: string | undefined
  /** Mismatches of the record with a schema. */
  readonly errors?: ErrorDetails['errors']
}

/** Result of an import, in numbers of lines. */
export interface Imported {
  created: number
  replaced: number
  /** Lines that are equal to the stored record. */
  unchanged: number
  refused: number
  /** Errors of the first rejected lines. */
  readonly errors: LineError[]
}

/** Stores a stream of lines in batches; valid lines are stored even if others are rejected. */
export async function importLines(
  { store, options, now }: { store: BoxStore; options: BoxOptions; now: () => Date },
  target: FileTarget,
  chunks: AsyncIterable<Buffer>,
  firstLine = 1
): Promise<Imported> {
  const imported: Imported = { created: 0, replaced: 0, unchanged: 0, refused: 0, errors: [] }
  let batch: { line: number; filing: Filing }[] = []
  let ids = new Set<string>()
  let length = 0

  function reject(line: number, error: FastifyError & ErrorDetails): void {
    if (error.statusCode === undefined || error.statusCode >= 500) throw error
    imported.refused++
    const { errors: listed } = imported
    if (listed.length >= LISTED_ERRORS && line > (listed.at(-1)?.line ?? 0)) return
    const { message, code, position, reason, errors } = error
    listed.push({ line, message, code: code.toLowerCase(), position, reason, errors })
    // Lines that cannot be read are found before schema errors of earlier lines in the batch.
    listed.sort((one, other) => one.line - other.line)
    listed.length = Math.min(listed.length, LISTED_ERRORS)
  }

  async function flush(): Promise<void> {
    const taken = batch
    batch = []
    ids = new Set()
    length = 0
    if (taken.length === 0) return
    const done = await store.file(
      target,
      taken.map(({ filing }) => filing)
    )
    for (const [at, error] of done.rejected) reject(taken[at]?.line ?? 0, error)
    imported.created += done.created
    imported.replaced += done.replaced
    imported.unchanged += done.unchanged
  }

  function read({ number, bytes }: Line): Filing | undefined {
    try {
      return readFiled(bytes, options, now().getTime())
    } catch (error) {
      reject(number, error as FastifyError)
      return undefined
    }
  }

  async function take(line: Line): Promise<void> {
    const record = read(line)
    if (record === undefined) return
    // An earlier line with the same id must be stored before this one.
    if (record.id !== undefined && ids.has(record.id)) await flush()
    if (record.id !== undefined) ids.add(record.id)
    batch.push({ line: line.number, filing: record })
    length += record.raw.length
    if (batch.length >= BATCH || length > BATCH_LENGTH) await flush()
  }

  const maxBytes = options.maxRecordBytes * LINE_FACTOR + LINE_EXTRA
  for await (const lines of readLines(received(chunks), maxBytes, firstLine)) {
    for (const line of lines) await take(line)
  }
  await flush()
  return imported
}

/** If the client disconnects, the error is a 400; batches that are already stored are kept. */
async function* received(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]()
  for (;;) {
    const next = await iterator.next().catch(() => {
      throw new BodyAborted()
    })
    if (next.done === true) return
    yield next.value
  }
}

/** Undefined if the line is empty. */
function readFiled(
  bytes: Buffer | undefined,
  options: BoxOptions,
  now: number
): Filing | undefined {
  const { maxRecordBytes } = options
  const tooLarge = () => new BodyTooLarge(Math.ceil(maxRecordBytes / KIB))
  if (bytes === undefined) throw tooLarge()
  const text = decodeText(bytes)?.trim()
  if (text === undefined || text === '') return undefined
  const record = readLine(text, options)
  if (Buffer.byteLength(record.raw) > maxRecordBytes) throw tooLarge()
  for (const date of [record.created, record.updated]) {
    if (date !== undefined && date > now + SKEW_MS) throw new LineInvalid('A date is in the future')
  }
  return record
}
