import type { Readable } from 'node:stream'

/** Ends a stream that will not be read; its errors are ignored. */
export function discard(stream: Readable | undefined): void {
  stream?.on('error', () => {}).destroy()
}
