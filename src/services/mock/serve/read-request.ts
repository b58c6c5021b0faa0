import type { IncomingMessage } from 'node:http'
import { readRequestBody } from '../../../kernel/request-body.ts'
import { parseRequestTarget } from '../../../kernel/request-target.ts'
import { Problem } from '../contract.ts'
import type { Arrival } from '../engine/exchange.ts'
import { bytesOf } from '../message.ts'
import { decodeBody } from '../request/decode-body.ts'

export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > 0
}

export function readHead(request: IncomingMessage): Arrival {
  const { method = 'GET', url = '/', headers, httpVersion } = request
  const { path, query } = parseRequestTarget(url)
  return { method, path, query, headers, httpVersion, body: undefined, request }
}

/** Decodes a body that is complete; one in an unknown coding is left to the check of the request. */
export async function decodeIncoming(
  incoming: Arrival,
  encoding: string,
  maxBytes: number
): Promise<void> {
  const { body } = incoming
  if (body === undefined) return
  const decoded = await decodeBody(bytesOf(body), encoding, maxBytes)
  if (decoded === 'tooLarge') throw tooLarge(maxBytes)
  if (decoded === 'malformed') {
    throw new Problem('MALFORMED_REQUEST', `The body cannot be decoded as ${encoding}.`)
  }
  if (decoded === 'unsupported') return
  incoming.body = decoded
  incoming.isDecoded = true
}

function tooLarge(maxBytes: number): Problem {
  return new Problem('BODY_TOO_LARGE', `The body exceeds ${maxBytes} bytes.`)
}

const aborted = () => new Error('The request body did not arrive')

/** Chunked bodies over this multiple of the limit are rejected without being read to the end. */
const PATIENCE = 10

/** Reads the whole body; a chunked body that is too large is drained before it is rejected. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const drainBytes = maxBytes * (PATIENCE - 1)
  const errors = { tooLarge: () => tooLarge(maxBytes), aborted }
  return readRequestBody(request, maxBytes, errors, { drainBytes })
}
