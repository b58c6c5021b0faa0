import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Answer, CUT, type Outcome } from './answer.ts'
import { COMMON_HEADERS } from './contract.ts'
import type { Held } from './held.ts'

const PIECES = 10
/** Names and values in turn, as `writeHead` takes them without copying. */
const COMMON_LIST = Object.entries(COMMON_HEADERS).flat()

/** Puts an answer on the wire, in the way that scenarios want it. */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  outcome: Outcome,
  held: Held
): Promise<void> {
  if (outcome === CUT) {
    cut(response)
    return
  }
  const { status, body, stream } = outcome
  const length = Buffer.byteLength(body ?? '')
  response.writeHead(status, headersOf(outcome, length))
  if (request.method === 'HEAD') response.end()
  else if (stream !== undefined) stream(response)
  else if (outcome.truncated) breakOff(response, body)
  else if (outcome.dripMs !== undefined) await drip(response, outcome, held)
  else if (typeof body === 'string') response.end(body, encodingOf(body, length))
  else response.end(body)
}

/** A reset where the system can, so that the client sees a broken connection and no end. */
export function cut({ socket }: ServerResponse): void {
  if (socket?.readyState === 'open') socket.resetAndDestroy()
  else socket?.destroy()
}

/** ASCII is the same in both, and `http` has less to do for the second. */
function encodingOf(text: string, bytes: number): BufferEncoding {
  return text.length === bytes ? 'latin1' : 'utf8'
}

function headersOf({ headers, cookies, status, stream }: Answer, length: number): string[] {
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

async function drip(
  response: ServerResponse,
  { body, dripMs = 0 }: Answer,
  held: Held
): Promise<void> {
  const bytes = Buffer.from(body ?? '')
  const size = Math.ceil(bytes.length / PIECES)
  response.flushHeaders()
  for (let from = 0; from < bytes.length; from += size) {
    const piece = bytes.subarray(from, from + size)
    if (!(await held.hold(response, dripMs / PIECES))) {
      cut(response)
      return
    }
    response.write(piece)
  }
  response.end()
}
