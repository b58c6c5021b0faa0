import { isoTime } from '../../../kernel/iso-time.ts'
import {
  CollectionInvalid,
  CollectionTooLong,
  LineInvalid,
  RECORD_ID,
  SYSTEM_FIELDS
} from '../contract.ts'
import type { Filing } from '../store/file.ts'
import type { StoredRecord } from '../store/record.ts'
import { queryCopy } from '../text/query-copy.ts'
import { cutReserved, splice } from '../text/record-text.ts'
import { type Member, mayBeReserved, type ScannedObject, scanBody } from '../text/scan.ts'

const LINE_BREAK = /[\r\n]/g
const SPACE = /^\{[ \t\n\r]*\}$/
const EMPTY = '{}'
/** Name of the member with the exact text, if the text has line breaks. */
const RAW = '_raw'
const CONTROL = /\p{Cc}/u
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/** The record as in a response, with its collection; text with line breaks is added as `_raw`. */
export function writeLine(record: Omit<StoredRecord, 'rev'>): string {
  const { id, raw, created, updated, collection } = record
  const line = splice(flatten(raw), {
    id,
    createdOn: isoTime(created),
    updatedOn: updated === null ? undefined : isoTime(updated),
    collection: collection ?? undefined
  })
  if (flatten(raw) === raw) return line
  return `${line.slice(0, -1)},"${RAW}":${JSON.stringify(raw)}}`
}

/** The same members on one line. */
function flatten(raw: string): string {
  return SPACE.test(raw) ? EMPTY : raw.replace(LINE_BREAK, ' ')
}

export function readLine(text: string, rules: { maxCollection: number }): Filing {
  const { many, objects } = scanBody(text)
  const [object] = objects
  if (many || object === undefined) throw new LineInvalid('A line must contain one object')
  const system = systemMembers(text, object.members)
  const raw = readRaw(text, object) ?? cutReserved(text, object)
  return {
    raw,
    doc: queryCopy(raw, object),
    id: readId(system._id),
    created: readDate('_createdOn', system._createdOn),
    updated: readDate('_updatedOn', system._updatedOn),
    collection: readCollection(system._collection, rules.maxCollection)
  }
}

function systemMembers(text: string, members: readonly Member[]): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const { keyStart, keyEnd, valueStart, valueEnd } of members) {
    // Only names that begin with an underscore or an escape are parsed, and these are few.
    if (!mayBeReserved(text, keyStart)) continue
    const name = JSON.parse(text.slice(keyStart, keyEnd))
    if (SYSTEM_FIELDS.includes(name)) {
      found[name] = JSON.parse(text.slice(valueStart, valueEnd))
    }
  }
  return found
}

/** The value of `_raw` if it is equal to the other members; otherwise it is an ordinary field. */
function readRaw(text: string, { members, ...object }: ScannedObject): string | undefined {
  const last = members.at(-1)
  const before = members.at(-2)
  if (last === undefined || before === undefined) return undefined
  if (text.slice(last.keyStart, last.keyEnd) !== `"${RAW}"`) return undefined
  const value = JSON.parse(text.slice(last.valueStart, last.valueEnd))
  if (typeof value !== 'string' || flatten(value) === value) return undefined
  const end = text.indexOf(',', before.valueEnd) + 1
  const rest = cutReserved(text, { ...object, end, members: members.slice(0, -1) })
  return flatten(value) === rest ? value : undefined
}

function readId(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && RECORD_ID.test(value)) return value.toLowerCase()
  throw new LineInvalid('_id is not 24 hexadecimal digits')
}

function readDate(name: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  const time = typeof value === 'string' && isDate(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(time))
    throw new LineInvalid(`${name} is not a date such as 2026-01-02T03:04:05.678Z`)
  return time
}

/** False for 31 February, which `Date.parse` accepts. */
function isDate(text: string): boolean {
  if (!DATE.test(text)) return false
  const day = text.slice(0, 'YYYY-MM-DD'.length)
  const parsed = Date.parse(day)
  return !Number.isNaN(parsed) && isoTime(parsed).startsWith(day)
}

function readCollection(value: unknown, maxLength: number): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || value === '' || CONTROL.test(value))
    throw new CollectionInvalid()
  // In a URL it would be a record id.
  if (RECORD_ID.test(value)) throw new CollectionInvalid()
  if (value.length > maxLength) throw new CollectionTooLong(maxLength)
  return value
}
