import { setImmediate } from 'node:timers/promises'
import { isoTime } from '../../../kernel/iso-time.ts'
import {
  BodyEmpty,
  BodyTooLarge,
  BulkUpdate,
  MAX_RECORDS_PER_REQUEST,
  TooManyRecords
} from '../contract.ts'
import type { StoredRecord } from '../store/record.ts'
import { decodeText } from '../text/decode.ts'
import { type FieldTree, pickFields } from '../text/fields.ts'
import {
  readBody,
  readBodySlowly,
  type SentBody,
  type SentRecord,
  splice
} from '../text/record-text.ts'
import { ElementTooLong } from '../text/scan.ts'

const KIB = 1024
const MAX_BYTES_PER_UNIT = 3
const LIST = /^\s*\[/

/** Maximum time for which an array of records blocks the event loop. */
const SLICE_MS = 10

/** The records of a body; undefined if it is empty. */
export async function readRecords(
  bytes: Uint8Array | undefined,
  { maxRecordBytes }: { maxRecordBytes: number }
): Promise<SentBody | undefined> {
  const text = bytes && decodeText(bytes)
  if (text === undefined) return undefined
  // A single record that is too large is rejected without being parsed.
  if (!LIST.test(text)) checkSize(text.trim(), maxRecordBytes)
  const limits = { keep: MAX_RECORDS_PER_REQUEST, maxLength: maxRecordBytes }
  const body = await readBodySlowly(text, limits, createYield()).catch((error) => {
    throw error instanceof ElementTooLong ? tooLarge(maxRecordBytes) : error
  })
  if (body.count > MAX_RECORDS_PER_REQUEST) throw new TooManyRecords()
  for (const { raw } of body.records) checkSize(raw, maxRecordBytes)
  return body
}

export function createYield(): () => Promise<void> | undefined {
  let until = performance.now() + SLICE_MS
  return () => {
    if (performance.now() < until) return undefined
    return setImmediate().then(() => {
      until = performance.now() + SLICE_MS
    })
  }
}

function tooLarge(maxBytes: number): Error {
  return new BodyTooLarge(Math.ceil(maxBytes / KIB))
}

/** The record in a JSON text; throws if the text is an array or too large. */
export function requireRecord(
  text: string,
  { maxRecordBytes }: { maxRecordBytes: number }
): SentRecord {
  const { many, records } = readBody(text)
  const [record] = records
  if (many) throw new BulkUpdate()
  if (record === undefined) throw new BodyEmpty()
  checkSize(record.raw, maxRecordBytes)
  return record
}

export function checkSize(text: string, maxBytes: number): void {
  const surelyFits = text.length * MAX_BYTES_PER_UNIT <= maxBytes
  if (surelyFits || Buffer.byteLength(text) <= maxBytes) return
  throw tooLarge(maxBytes)
}

export function requireRecords(body: SentBody | undefined): SentBody {
  if (body === undefined || body.count === 0) throw new BodyEmpty()
  return body
}

export function requireOne(body: SentBody | undefined): SentRecord {
  const { many, records } = requireRecords(body)
  const [only] = records
  if (many || only === undefined) throw new BulkUpdate()
  return only
}

/** A new record as it is in the response. */
export function renderNew(id: string, raw: string, created: number): string {
  return splice(raw, { id, createdOn: isoTime(created) })
}

/** A record as it is in a response; the collection is left out if the URL names it. */
export function renderRecord(
  record: StoredRecord,
  showCollection: boolean,
  fields?: FieldTree | undefined
): string {
  const { id, raw, created, updated, collection } = record
  return splice(fields === undefined ? raw : pickFields(raw, fields), {
    id,
    createdOn: isoTime(created),
    updatedOn: updated === null ? undefined : isoTime(updated),
    collection: showCollection && collection !== null ? collection : undefined
  })
}
