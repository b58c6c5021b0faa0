import type { IncomingHttpHeaders } from 'node:http'

/** A request as received, before it is parsed. */
export interface Incoming {
  method: string
  /** As sent, still percent-encoded, without the query. */
  path: string
  /** As sent, without the question mark. */
  query: string
  headers: IncomingHttpHeaders
  /** Undefined if the request announced no body. */
  body: Uint8Array | undefined
  /** Whether `body` is decoded by the `Content-Encoding` of the request. */
  isDecoded?: boolean
}

/** Response that is sent to the client. */
export interface Outgoing {
  status: number
  /** Names are in lower case; an array is sent as several header lines. */
  headers: Record<string, string | readonly string[]>
  body: SentBody | undefined
}

/** A short body may be a latin1 string, one character per byte: these are sent fastest. */
export type SentBody = Uint8Array | string

/** Maximum length of bodies that are strings. */
export const MAX_TEXT_BYTES = 16 * 1024

export function bytesOf(body: SentBody): Buffer {
  if (typeof body === 'string') return Buffer.from(body, 'latin1')
  return Buffer.from(body.buffer, body.byteOffset, body.length)
}

export type Severity = 'Error' | 'Warning' | 'Information' | 'Hint'

/** One finding about a message, as in the `sl-violations` header. */
export interface Diagnostic {
  /** `['body', 'name']`, `['query', 'limit']` …, without `request` or `response` in front. */
  location: readonly string[]
  severity: Severity
  /** The keyword of the schema, `401`, `415`, or `deprecated`. */
  code?: string | number
  message: string
}
