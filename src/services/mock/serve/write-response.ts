import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import type { OutgoingResponse } from '../engine/exchange.ts'
import { bytesOf } from '../message.ts'

/** Up to this size, a copy costs less than a second write. */
const MAX_JOINED_BYTES = 64 * 1024
const BYTES = 'latin1'

/** Sends a response; small bodies are sent together with the headers in one write. */
export function writeResponse(
  method: string,
  response: ServerResponse,
  prepared: OutgoingResponse
): void {
  const { status, headers, body, stream } = prepared
  const { lines, hasLength } = headLines(headers)
  if (stream !== undefined) {
    response.writeHead(status, lines)
    // If either side disconnects, the other is closed, so there is no error to report.
    pipeline(stream, response, () => {})
    return
  }
  const isHead = method === 'HEAD'
  const isSilent = isHead || status === 204 || status === 304
  // The response to HEAD tells the length of the body that GET would get.
  const isTold = isHead && status !== 204 && status !== 304 && body !== undefined
  if (!hasLength && (isTold || !isSilent)) {
    lines.push('content-length', String(body?.length ?? 0))
  }
  response.writeHead(status, lines)
  if (body === undefined || isSilent) response.end()
  else if (typeof body === 'string') response.end(body, BYTES)
  else if (body.length > MAX_JOINED_BYTES) response.end(body)
  else response.end(bytesOf(body).toString(BYTES), BYTES)
}

/** Header names and values, alternating. */
export function headLines(headers: OutgoingResponse['headers']): {
  lines: string[]
  hasLength: boolean
} {
  const lines: string[] = []
  let hasLength = false
  for (const name in headers) {
    const value = headers[name]
    if (name === 'content-length') hasLength = true
    if (typeof value === 'string') lines.push(name, value)
    else for (const item of value ?? []) lines.push(name, item)
  }
  return { lines, hasLength }
}
