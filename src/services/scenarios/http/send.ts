import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { COMMON_HEADERS, type ScenarioError } from '../contract.ts'
import type { ParkedRequests } from '../pipeline/parked-requests.ts'
import { type ApiResponse, DROPPED, errorResponse, type ResponseOrDrop } from './response.ts'

const PIECES = 10
/** Alternating names and values, which `writeHead` does not have to copy. */
const COMMON_LIST = Object.entries(COMMON_HEADERS).flat()

/** Sends a response in the way that scenarios require. */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  outcome: ResponseOrDrop,
  held: ParkedRequests
): Promise<void> {
  if (outcome === DROPPED) {
    cut(response)
    return
  }
  const { body, stream, truncated, dripMs } = outcome
  const isWhole = request.method === 'HEAD' || stream !== undefined || truncated
  if (dripMs !== undefined && !isWhole && body !== undefined) {
    await drip(response, outcome, held)
    return
  }
  const length = writeHead(response, outcome)
  if (request.method === 'HEAD') response.end()
  else if (stream !== undefined) stream(response)
  else if (truncated) breakOff(response, body)
  else if (typeof body === 'string') response.end(body, encodingOf(body, length))
  else response.end(body)
}

/** Returns the length of the body in bytes. */
function writeHead(response: ServerResponse, prepared: ApiResponse): number {
  const length = Buffer.byteLength(prepared.body ?? '')
  response.writeHead(prepared.status, headersOf(prepared, length))
  return length
}

/** Resets the connection if possible, so that the client sees an error and not an end. */
export function cut(response: ServerResponse): void {
  const { socket } = response
  // In log and metrics, 0 means that no status was sent.
  if (!response.headersSent) response.statusCode = 0
  if (socket?.readyState === 'open') socket.resetAndDestroy()
  else socket?.destroy()
}

/** ASCII is the same in both encodings, and `http` handles `latin1` faster. */
function encodingOf(text: string, bytes: number): BufferEncoding {
  return text.length === bytes ? 'latin1' : 'utf8'
}

function headersOf({ headers, cookies, status, stream }: ApiResponse, length: number): string[] {
  const list = COMMON_LIST.slice()
  for (const name of Object.keys(headers)) list.push(name, headers[name] ?? '')
  for (const cookie of cookies ?? []) list.push('set-cookie', cookie)
  const hasLength = stream === undefined && status !== 204 && status !== 304
  if (hasLength) list.push('content-length', String(length))
  return list
}

function breakOff(response: ServerResponse, body: string | Uint8Array | undefined): void {
  const bytes = Buffer.from(body ?? '')
  const half = bytes.subarray(0, Math.floor(bytes.length / 2))
  if (half.length === 0) cut(response)
  else response.write(half, () => response.socket?.destroy())
}

/** Counts as one delayed request, registered before the headers are sent. */
async function drip(
  response: ServerResponse,
  prepared: ApiResponse,
  held: ParkedRequests
): Promise<void> {
  const end = new AbortController()
  try {
    held.track(response, () => end.abort())
  } catch (error) {
    const crowded = instead(prepared, error as ScenarioError)
    writeHead(response, crowded)
    response.end(crowded.body)
    return
  }
  response.once('close', () => end.abort())
  const bytes = Buffer.from(prepared.body ?? '')
  const size = Math.ceil(bytes.length / PIECES)
  const pause = (prepared.dripMs ?? 0) / PIECES
  writeHead(response, prepared)
  response.flushHeaders()
  for (let from = 0; from < bytes.length; from += size) {
    const isDue = await wait(pause, true, { signal: end.signal }).catch(() => false)
    if (!isDue) return cut(response)
    response.write(bytes.subarray(from, from + size))
  }
  response.end()
}

/** Error response instead of `prepared`; keeps its headers, such as CORS, except the ETag. */
function instead(
  { headers: { etag: _, ...headers } }: ApiResponse,
  error: ScenarioError
): ApiResponse {
  if (error.statusCode === undefined) throw error
  const response = errorResponse(error)
  return { ...response, headers: { ...headers, ...response.headers } }
}
