import type { IncomingMessage } from 'node:http'
import { BodyAborted, BodyTooLarge } from './contract.ts'

const KIB = 1024
/** Read and thrown away past the limit, so that the sender gets to read the answer. */
const DRAIN_BYTES = 1024 * KIB

/** The bytes, whatever the content type says; undefined when there are none. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>()
  const chunks: Buffer[] = []
  let size = 0
  function finish(): void {
    if (size > maxBytes) reject(new BodyTooLarge(Math.ceil(maxBytes / KIB)))
    else resolve(size === 0 ? undefined : join(chunks))
  }
  request.on('data', (chunk: Buffer) => {
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

function join(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
}
