import type { FastifyError } from 'fastify'
import { BodyAborted, BodyTooLarge, type ErrorDetails, LineInvalid } from '../contract.ts'
import type { BoxOptions } from '../settings.ts'
import type { FileTarget, Filing } from '../store/file.ts'
import type { BoxStore } from '../store/store.ts'
import { decodeText } from '../text/decode.ts'
import { type Line, readLines } from './lines.ts'
import { readLine } from './record-line.ts'

const KIB = 1024
/** Records and characters of one transaction. */
const BATCH = 200
const BATCH_LENGTH = 1024 * KIB
/** Clocks of two machines may differ by this much. */
const SKEW_MS = 60_000
const LISTED_ERRORS = 100
/** A line holds the text twice at worst, with escapes, and our own fields. */
const LINE_FACTOR = 3
const LINE_EXTRA = 4 * KIB

export interface LineError {
  readonly line: number
  readonly message: string
  readonly code: string
  readonly position?: number | undefined
  readonly reason?: string | undefined
  /** Where a record does not fit a schema. */
  readonly errors?: ErrorDetails['errors']
}

/** What became of the lines. */
export interface Imported {
  created: number
  replaced: number
  /** Were there already, to the letter. */
  unchanged: number
  refused: number
  /** The first of the refused ones. */
  readonly errors: LineError[]
}

/** Stores a stream of lines, some at a time: good ones stay, whatever is wrong with others. */
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
    // What cannot be read is found before what an earlier line of the same batch does not fit.
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
    // A line that changes an earlier one finds it stored.
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

/** What arrived before a sender broke off is stored; that it broke off is no defect of ours. */
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

/** Undefined for an empty line. */
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
