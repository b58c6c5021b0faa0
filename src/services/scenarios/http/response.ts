import { type ServerResponse, STATUS_CODES } from 'node:http'
import { describeError, JSON_TYPE, type ScenarioError } from '../contract.ts'

/** What goes out, before it is sent; scenarios may change it on its way. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
  /** Nothing for 204 and 304. */
  readonly body?: string | Uint8Array | undefined
  /** Writes the body by itself, once status and headers are out. */
  readonly stream?: (response: ServerResponse) => void
  /** Takes the connection over instead of a body: a WebSocket, with status 101. */
  readonly accept?: (headers: Readonly<Record<string, string>>) => Promise<void>
  /** False: no CORS headers, as a server that forgot them. */
  readonly cors?: false
  /** Milliseconds over which the body trickles out. */
  readonly dripMs?: number
  /** The connection breaks in the middle of the body. */
  readonly truncated?: true
}

/** No answer at all: the connection is torn. */
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
