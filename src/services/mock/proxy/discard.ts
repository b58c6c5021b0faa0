import type { Readable } from 'node:stream'

/** Ends a stream nobody will read; what it says about that is no news. */
export function discard(stream: Readable | undefined): void {
  stream?.on('error', () => {}).destroy()
}
