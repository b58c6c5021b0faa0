import { isObject, type Json } from '../../document/json.ts'
import type { JournalEntry } from '../../journal/journal.ts'
import type { Mask } from '../../journal/mask.ts'
import { bytesOf } from '../../message.ts'
import { type FormValues, withPlainBreaks } from './form-values.ts'
import {
  CONNECTION_HEADERS,
  type HeaderLine,
  parseHeaderLines,
  type RawRequest
} from './raw-request.ts'

/** A request as text fields show it. */
export interface EditableRequest {
  method: string
  target: string
  /** One header per line. */
  headers: string
  body: string
  /** How `body` is to be read; bytes that are no text are shown as base64. */
  encoding: 'text' | 'base64'
}

const HIDDEN = '***'

/** Whether the journal has all of the request; only the beginning of a large body is kept. */
export function isComplete({ requestBody, requestBytes }: JournalEntry): boolean {
  return (requestBody?.length ?? 0) === requestBytes
}

/** The same request once more. */
export function repeatedRequest(entry: JournalEntry): RawRequest {
  const { method, requestBody } = entry
  const hasBody = requestBody !== undefined && requestBody.length > 0
  return {
    method,
    target: targetOf(entry, entry.query),
    headers: headerLines(entry.requestHeaders),
    body: hasBody ? bytesOf(requestBody) : undefined
  }
}

function targetOf({ path }: JournalEntry, query: string): string {
  return query === '' ? path : `${path}?${query}`
}

function headerLines(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
): HeaderLine[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    CONNECTION_HEADERS.includes(name) || value === undefined
      ? []
      : [value].flat().map((one): HeaderLine => [name, one])
  )
}

/** A recorded request for a person to change; credentials are hidden. */
export function editableEntry(entry: JournalEntry, mask: Mask): EditableRequest {
  const { method, query, requestHeaders } = entry
  const { text, encoding } = shownBody(entry, mask)
  return {
    method,
    target: targetOf(entry, mask.query(query)),
    headers: linesOf(headerLines(mask.headers(requestHeaders))),
    body: text,
    encoding
  }
}

/** A request that was composed by a form; the person who filled it in sees all of it. */
export function editableRequest({ method, target, headers, body }: RawRequest): EditableRequest {
  return {
    method,
    target,
    headers: linesOf(headers),
    body: body === undefined ? '' : Buffer.from(body).toString(),
    encoding: 'text'
  }
}

function linesOf(headers: readonly HeaderLine[]): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n')
}

function shownBody(
  { requestBody }: JournalEntry,
  mask: Mask
): Pick<EditableRequest, 'encoding'> & { text: string } {
  if (requestBody === undefined || requestBody.length === 0) return { text: '', encoding: 'text' }
  const bytes = bytesOf(requestBody)
  const text = bytes.toString()
  if (!Buffer.from(text).equals(bytes))
    return { text: bytes.toString('base64'), encoding: 'base64' }
  return { text: mask.body(text, true), encoding: 'text' }
}

export function readEditable(values: FormValues): EditableRequest {
  return {
    method: (values.method ?? 'GET').trim(),
    target: (values.target ?? '').trim(),
    headers: withPlainBreaks(values.headers ?? ''),
    body: withPlainBreaks(values.body ?? ''),
    encoding: values.encoding === 'base64' ? 'base64' : 'text'
  }
}

/**
 * The request to send. Where the person left a hidden credential of the entry as it was shown, the
 * recorded value is sent.
 */
export function editedRequest(
  edited: EditableRequest,
  original: JournalEntry | undefined,
  mask: Mask
): RawRequest {
  const headers = parseHeaderLines(edited.headers)
  if (original === undefined) return { ...edited, headers, body: bytesOfText(edited) }
  return {
    method: edited.method,
    target: restoreQuery(edited.target, original.query),
    headers: restoreHeaders(headers, original, mask),
    body: restoreBody(edited, original, mask)
  }
}

function bytesOfText({ body, encoding }: EditableRequest): Buffer | undefined {
  return body === '' ? undefined : Buffer.from(body, encoding === 'base64' ? 'base64' : 'utf8')
}

function restoreQuery(target: string, query: string): string {
  const mark = target.indexOf('?')
  if (mark === -1 || !target.includes(`=${HIDDEN}`)) return target
  const known = query.split('&').map((pair) => [pair.split('=', 1)[0] ?? '', pair] as const)
  const pairs = target.slice(mark + 1).split('&')
  const restored = pairs.map((pair) => {
    const [name = ''] = pair.split('=', 1)
    if (pair !== `${name}=${HIDDEN}`) return pair
    const index = known.findIndex(([other]) => other === name)
    return index === -1 ? pair : (known.splice(index, 1)[0]?.[1] ?? pair)
  })
  return `${target.slice(0, mark)}?${restored.join('&')}`
}

function restoreHeaders(
  lines: readonly HeaderLine[],
  { requestHeaders }: JournalEntry,
  mask: Mask
): HeaderLine[] {
  const shown = mask.headers(requestHeaders)
  return lines.map(([name, value]) => {
    const key = name.toLowerCase()
    const before = requestHeaders[key]
    return typeof before === 'string' && shown[key] === value ? [name, before] : [name, value]
  })
}

function restoreBody(edited: EditableRequest, original: JournalEntry, mask: Mask) {
  const { body } = edited
  const { requestBody } = original
  if (edited.encoding === 'base64' || requestBody === undefined) return bytesOfText(edited)
  if (body === withPlainBreaks(shownBody(original, mask).text)) return bytesOf(requestBody)
  if (!body.includes(`"${HIDDEN}"`)) return bytesOfText(edited)
  try {
    const before: Json = JSON.parse(bytesOf(requestBody).toString())
    return Buffer.from(JSON.stringify(restoreValue(JSON.parse(body), before)))
  } catch {
    // One of the two is not JSON: the text is sent as it was written.
    return bytesOfText(edited)
  }
}

function restoreValue(edited: Json, before: Json | undefined): Json {
  if (edited === HIDDEN && before !== undefined) return before
  if (Array.isArray(edited)) {
    return edited.map((item, index) =>
      restoreValue(item, Array.isArray(before) ? before[index] : undefined)
    )
  }
  if (!isObject(edited)) return edited
  return Object.fromEntries(
    Object.entries(edited).map(([name, value]) => [
      name,
      restoreValue(
        value,
        isObject(before) && Object.hasOwn(before, name) ? before[name] : undefined
      )
    ])
  )
}
