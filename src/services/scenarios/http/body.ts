import type { IncomingMessage } from 'node:http'
import { groupFields, hasMoreFieldsThan } from '../../../kernel/form-fields.ts'
import { JoinedBytes } from '../../../kernel/joined-bytes.ts'
import { containersAtDepth } from '../../../kernel/json.ts'
import { essenceOf } from '../../../kernel/media-type.ts'
import { readRequestBody, requestChunks } from '../../../kernel/request-body.ts'
import {
  BodyAborted,
  BodyTooLarge,
  JsonInvalid,
  JsonTooDeep,
  MAX_DEPTH,
  MAX_FIELDS,
  TooManyFields
} from '../contract.ts'

/** A parsed request body. */
export interface Body {
  readonly text: string
  /** Fields of a JSON object, an array or a form; empty for other bodies. */
  readonly fields: Readonly<Record<string, unknown>>
}

const EMPTY: Body = { text: '', fields: {} }

export function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return readRequestBody(request, maxBytes, {
    tooLarge: () => new BodyTooLarge(),
    aborted: () => new BodyAborted()
  })
}

/** A reader that stops early can still respond on the same connection. */
export function unbroken(request: IncomingMessage): AsyncGenerator<Buffer> {
  return requestChunks(request, (cause) => new BodyAborted({ cause }))
}

export async function collect(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const bytes = new JoinedBytes()
  for await (const chunk of chunks) {
    bytes.add(chunk)
    if (bytes.size > maxBytes) throw new BodyTooLarge()
  }
  return bytes.take()
}

/** Parses JSON and forms by content type; as in ReqRes, a body of another type has no fields. */
export function readFields(bytes: Buffer, contentType: string | undefined): Body {
  if (bytes.length === 0) return EMPTY
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  const type = essenceOf(contentType ?? '')
  if (type === 'application/x-www-form-urlencoded') return { text, fields: readForm(text) }
  if (type !== 'application/json' && !type.endsWith('+json')) return { text, fields: {} }
  if (text.trim() === '') return { text, fields: {} }
  const value = parseJson(text)
  return { text, fields: fieldsOf(value) }
}

/** The indexes of an array are its field names. */
function fieldsOf(value: unknown): Body['fields'] {
  if (typeof value !== 'object' || value === null) return {}
  return Array.isArray(value) ? { ...value } : (value as Body['fields'])
}

function parseJson(text: string): unknown {
  if (hasManyMembers(text)) throw new TooManyFields()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new JsonInvalid({ cause })
  }
  if (mayBeDeep(text) && isTooDeep(value)) throw new JsonTooDeep()
  return value
}

/** Counted before the text is parsed: an object of so many names takes long to create and copy. */
function hasManyMembers(text: string): boolean {
  // Each member takes at least two characters.
  if (text.length <= 2 * MAX_FIELDS) return false
  let depth = 0
  let count = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth++
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--
    else if (code === COMMA && depth === 1 && ++count > MAX_FIELDS) return true
  }
  return false
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  }
  return at
}

/** Cheap check, because a body with few brackets cannot have many levels. */
function mayBeDeep(text: string): boolean {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if ((code === OPEN_LIST || code === OPEN_OBJECT) && ++count > MAX_DEPTH) return true
  }
  return false
}

const OPEN_LIST = '['.charCodeAt(0)
const OPEN_OBJECT = '{'.charCodeAt(0)
const CLOSE_LIST = ']'.charCodeAt(0)
const CLOSE_OBJECT = '}'.charCodeAt(0)
const COMMA = ','.charCodeAt(0)
const QUOTE = '"'.charCodeAt(0)
const BACKSLASH = '\\'.charCodeAt(0)

/** Serialising such a value could exceed the stack. */
export function isTooDeep(value: unknown): boolean {
  const deepest = [...containersAtDepth(value, MAX_DEPTH - 1)]
  return deepest.some((container) => Object.keys(container).length > 0)
}

function readForm(text: string): Record<string, unknown> {
  if (hasMoreFieldsThan(MAX_FIELDS, text)) throw new TooManyFields()
  return groupFields(new URLSearchParams(text))
}

/** A non-empty string, or a number as a string; otherwise undefined. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
