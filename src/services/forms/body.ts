import type { IncomingMessage } from 'node:http'
import { failures } from './contract.ts'

/** Read and thrown away past the limit, so that the sender gets to read the answer. */
const DRAIN_BYTES = 1024 * 1024

/** The body whatever the method; one longer than `maxBytes` comes back cut, but longer still. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  timeoutMs: number
): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  const chunks: Buffer[] = []
  let size = 0
  const finish = () => resolve(Buffer.concat(chunks))
  const timer = setTimeout(() => reject(failures.bodyTimedOut(timeoutMs)), timeoutMs)
  request.on('data', (chunk: Buffer) => {
    if (size <= maxBytes) chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes + DRAIN_BYTES) finish()
  })
  request.once('end', finish)
  request.once('error', (error) => reject(failures.bodyAborted(error)))
  return promise.finally(() => clearTimeout(timer))
}
