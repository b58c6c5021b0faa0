import type { IncomingMessage } from 'node:http'
import { readRequestBody } from '../../../kernel/request-body.ts'
import { parseRequestTarget } from '../../../kernel/request-target.ts'
import { Problem } from '../contract.ts'
import type { Arrival } from '../engine/exchange.ts'

export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > 0
}

export function readHead(request: IncomingMessage): Arrival {
  const { method = 'GET', url = '/', headers, httpVersion } = request
  const { path, query } = parseRequestTarget(url)
  return { method, path, query, headers, httpVersion, body: undefined, request }
}

const aborted = () => new Error('The request body did not arrive')

/** Chunked bodies over this multiple of the limit are rejected without being read to the end. */
const PATIENCE = 10

/** Reads the whole body; a chunked body that is too large is drained before it is rejected. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => new Problem('BODY_TOO_LARGE', `The body exceeds ${maxBytes} bytes.`)
  const drainBytes = maxBytes * (PATIENCE - 1)
  return readRequestBody(request, maxBytes, { tooLarge, aborted }, { drainBytes })
}
