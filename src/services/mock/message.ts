import type { IncomingHttpHeaders } from 'node:http'

/** A request as it came, before anything is made of it. */
export interface Incoming {
  method: string
  /** As sent, still percent-encoded, without the query. */
  path: string
  /** As sent, without the question mark. */
  query: string
  headers: IncomingHttpHeaders
  /** Nothing when the request announced no body. */
  body: Uint8Array | undefined
}

/** What is sent back, whoever made it. */
export interface Outgoing {
  status: number
  /** Names in lower case; a list is sent as several lines. */
  headers: Record<string, string | readonly string[]>
  body: SentBody | undefined
}

/** A short one may be a text, with a character for each byte: those are sent quickest. */
export type SentBody = Uint8Array | string

/** Of bodies that are texts. */
export const MAX_TEXT_BYTES = 16 * 1024

export function bytesOf(body: SentBody): Buffer {
  if (typeof body === 'string') return Buffer.from(body, 'latin1')
  return Buffer.from(body.buffer, body.byteOffset, body.length)
}

export type Severity = 'Error' | 'Warning' | 'Information' | 'Hint'

/** One finding about a message, in the words of `sl-violations`. */
export interface Diagnostic {
  /** `['body', 'name']`, `['query', 'limit']` …, without `request` or `response` in front. */
  location: readonly string[]
  severity: Severity
  /** The keyword of the schema, `401`, `415`, or `deprecated`. */
  code?: string | number
  message: string
}
