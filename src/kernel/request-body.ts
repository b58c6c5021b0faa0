import type { IncomingMessage } from 'node:http'

/** Read and thrown away past the limit, so that the client gets to read the response. */
const DRAIN_BYTES = 1024 * 1024

/** In the words of the service that reads. */
export interface BodyErrors {
  /** Without it a longer body is returned cut, but longer than the limit. */
  tooLarge?: () => Error
  /** The body ended before its length. */
  aborted: () => Error
  timedOut?: () => Error
}

export interface BodyLimits {
  /** Bytes past the limit that are read and thrown away; 1 MiB unless told. */
  drainBytes?: number
  /** Until the last byte; unlimited unless told. */
  timeoutMs?: number
}

const NO_LIMITS: BodyLimits = {}

/** The bytes of a body, whatever its method and content type say. */
export function readRequestBody(
  request: IncomingMessage,
  maxBytes: number,
  { tooLarge, aborted, timedOut }: BodyErrors,
  { drainBytes = DRAIN_BYTES, timeoutMs }: BodyLimits = NO_LIMITS
): Promise<Buffer<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer<ArrayBuffer>>()
  const chunks: Buffer<ArrayBuffer>[] = []
  let size = 0
  function finish(): void {
    const [only] = chunks
    if (size > maxBytes && tooLarge !== undefined) reject(tooLarge())
    else resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks))
  }
  request.on('data', (chunk: Buffer<ArrayBuffer>) => {
    if (size <= maxBytes) chunks.push(chunk)
    size += chunk.length
    if (size <= maxBytes) return
    if (tooLarge !== undefined) chunks.length = 0
    if (size > maxBytes + drainBytes) finish()
  })
  request.on('end', finish)
  request.on('close', () => {
    if (!request.complete) reject(aborted())
  })
  if (timedOut === undefined || timeoutMs === undefined) return promise
  const timer = setTimeout(() => reject(timedOut()), timeoutMs)
  return promise.finally(() => clearTimeout(timer))
}

/** A body in pieces. A reader that stops early can still respond on the same connection. */
export async function* requestChunks(
  request: IncomingMessage,
  aborted: (cause: unknown) => Error
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) yield chunk
  } catch (cause) {
    throw aborted(cause)
  }
}
