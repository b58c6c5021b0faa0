import type { IncomingMessage } from 'node:http'
import { parseRequestTarget } from '../../../kernel/request-target.ts'
import { Problem } from '../contract.ts'
import type { Arrival } from '../engine/exchange.ts'

export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > 0
}

export function readHead(request: IncomingMessage): Arrival {
  const { method = 'GET', url = '/', headers } = request
  const { path, query } = parseRequestTarget(url)
  return { method, path, query, headers, body: undefined }
}

/** A client that has sent this many times the limit does not listen anyway. */
const PATIENCE = 10

/** All of the body; the rest of one that is too large is thrown away before the refusal. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const tooLarge = () => new Problem('BODY_TOO_LARGE', `The body is over ${maxBytes} bytes.`)
    if (Number(request.headers['content-length'] ?? 0) > maxBytes * PATIENCE) {
      reject(tooLarge())
      return
    }
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
      else if (size > maxBytes * PATIENCE) reject(tooLarge())
      else chunks.length = 0
    })
    request.once('end', () => {
      if (size > maxBytes) reject(tooLarge())
      else resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
    })
    request.once('error', reject)
  })
}
