import type { IncomingMessage } from 'node:http'
import { BodyAborted, BodyTooLarge } from './contract.ts'

/** Read and thrown away past the limit, so that the sender gets to read the answer. */
const DRAIN_BYTES = 1024 * 1024

export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer<ArrayBuffer>>()
  const chunks: Buffer<ArrayBuffer>[] = []
  let size = 0
  function finish(): void {
    if (size > maxBytes) reject(new BodyTooLarge(maxBytes))
    else resolve(chunks.length === 1 ? (chunks[0] as Buffer<ArrayBuffer>) : Buffer.concat(chunks))
  }
  request.on('data', (chunk: Buffer<ArrayBuffer>) => {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
    else if (size > maxBytes + DRAIN_BYTES) finish()
  })
  request.once('end', finish)
  request.once('close', () => {
    if (!request.complete) reject(new BodyAborted())
  })
  return promise
}
