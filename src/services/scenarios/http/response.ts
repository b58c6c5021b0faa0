import { type ServerResponse, STATUS_CODES } from 'node:http'
import { describeError, JSON_TYPE, type ScenarioError } from '../contract.ts'

/** A response before it is sent; scenarios may change it. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
  /** Undefined for 204 and 304. */
  readonly body?: string | Uint8Array | undefined
  /** Writes the body after status and headers are sent. */
  readonly stream?: (response: ServerResponse) => void
  /** Takes over the connection for a WebSocket, with status 101. */
  readonly accept?: (headers: Readonly<Record<string, string>>) => Promise<void>
  /** False if CORS headers are omitted, as by a server that forgot them. */
  readonly cors?: false
  /** Milliseconds over which the body is sent in parts. */
  readonly dripMs?: number
  /** The connection is closed in the middle of the body. */
  readonly truncated?: true
}

/** No response: the connection is reset. */
export const DROPPED = 'cut'

export type ResponseOrDrop = ApiResponse | typeof DROPPED

const JSON_HEADERS = { 'content-type': JSON_TYPE }

export function json(
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {}
): ApiResponse {
  return { status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(value) }
}

export function empty(status = 204, headers: Readonly<Record<string, string>> = {}): ApiResponse {
  return { status, headers }
}

/** `{"error":"<reason phrase>"}`. */
export function simpleError(
  status: number,
  text = STATUS_CODES[status] ?? 'Error',
  headers: Readonly<Record<string, string>> = {}
): ApiResponse {
  return json({ error: text }, status, headers)
}

export function errorResponse(error: ScenarioError): ApiResponse {
  const { status, body, headers } = describeError(error)
  return { status, body, headers: { ...JSON_HEADERS, ...headers } }
}
