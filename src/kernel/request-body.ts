import type { IncomingMessage } from 'node:http'
import { JoinedBytes } from './joined-bytes.ts'

/** Bytes past the limit that are read and discarded, so that the client can read the response. */
const DRAIN_BYTES = 1024 * 1024

/** Creates the errors of the calling service. */
export interface BodyErrors {
  /** If undefined, a body past the limit is returned truncated, but still longer than the limit. */
  tooLarge?: () => Error
  /** The connection was closed before the end of the body. */
  aborted: () => Error
  timedOut?: () => Error
}

export interface BodyLimits {
  /** Bytes past the limit that are read and discarded; 1 MiB by default. */
  drainBytes?: number
  /** Time until the last byte; unlimited by default. */
  timeoutMs?: number
}

const NO_LIMITS: BodyLimits = {}
const NO_BYTES = Buffer.alloc(0)

/** Whether a body is announced that is longer than `maxBytes`; a chunked body has no length. */
export function isAnnouncedOver({ headers }: IncomingMessage, maxBytes: number): boolean {
  return Number(headers['content-length'] ?? 0) > maxBytes
}

/**
 * Reads the bytes of a body, whatever the method and content type. A body whose announced length is
 * over the limit is rejected unread.
 */
export function readRequestBody(
  request: IncomingMessage,
  maxBytes: number,
  { tooLarge, aborted, timedOut }: BodyErrors,
  { drainBytes = DRAIN_BYTES, timeoutMs }: BodyLimits = NO_LIMITS
): Promise<Buffer<ArrayBuffer>> {
  if (tooLarge !== undefined && isAnnouncedOver(request, maxBytes)) {
    return Promise.reject(tooLarge())
  }
  const { promise, resolve, reject } = Promise.withResolvers<Buffer<ArrayBuffer>>()
  /** Most bodies arrive in one piece. */
  let first: Buffer<ArrayBuffer> | undefined
  let joined: JoinedBytes | undefined
  let size = 0
  function finish(): void {
    if (size > maxBytes && tooLarge !== undefined) reject(tooLarge())
    else resolve(joined?.take() ?? first ?? NO_BYTES)
  }
  function add(chunk: Buffer<ArrayBuffer>): void {
    if (first === undefined) {
      first = chunk
      return
    }
    if (joined === undefined) {
      joined = new JoinedBytes()
      joined.add(first)
    }
    joined.add(chunk)
  }
  request.on('data', (chunk: Buffer<ArrayBuffer>) => {
    if (size <= maxBytes) add(chunk)
    size += chunk.length
    if (size <= maxBytes) return
    if (tooLarge !== undefined) joined?.clear()
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

/** The chunks of a body. A caller that stops early can still respond on the same connection. */
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
