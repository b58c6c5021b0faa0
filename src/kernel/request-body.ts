import type { IncomingMessage } from 'node:http'

/** Read and thrown away past the limit, so that the sender gets to read the answer. */
const DRAIN_BYTES = 1024 * 1024

/** In the words of the service that reads. */
export interface BodyFailures {
  tooLarge: () => Error
  /** The body ended before its length. */
  aborted: () => Error
}

/** The bytes of a body, whatever its content type says. */
export function readRequestBody(
  request: IncomingMessage,
  maxBytes: number,
  failures: BodyFailures
): Promise<Buffer<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer<ArrayBuffer>>()
  const chunks: Buffer<ArrayBuffer>[] = []
  let size = 0
  function finish(): void {
    const [only] = chunks
    if (size > maxBytes) reject(failures.tooLarge())
    else resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks))
  }
  request.on('data', (chunk: Buffer<ArrayBuffer>) => {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
    else if (size > maxBytes + DRAIN_BYTES) finish()
  })
  request.on('end', finish)
  request.on('close', () => {
    if (!request.complete) reject(failures.aborted())
  })
  return promise
}
