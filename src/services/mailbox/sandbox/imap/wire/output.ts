import type { Socket } from 'node:net'

/** Text is collected up to this size before it is written. */
const FLUSH_CHARACTERS = 16_384
/** With more than this in the socket's buffer, writers wait. */
const MAX_BUFFERED_BYTES = 256 * 1024

/** Writes responses to a socket; texts are binary strings, of one byte per character. */
export interface Output {
  /** Adds the line end. */
  line: (text: string) => void
  text: (text: string) => void
  bytes: (bytes: Buffer) => void
  flush: () => void
  /** Resolves when the client has read enough, or is gone. */
  ready: () => Promise<void>
  /** Whether the client is far behind with reading. */
  isBehind: () => boolean
}

export function createOutput(socket: Socket): Output {
  let collected = ''

  function flush(): void {
    if (collected === '') return
    if (!socket.destroyed && socket.writable) socket.write(collected, 'latin1')
    collected = ''
  }

  function text(more: string): void {
    collected += more
    if (collected.length > FLUSH_CHARACTERS) flush()
  }

  const isBehind = () => socket.writableLength > MAX_BUFFERED_BYTES

  return {
    line: (more) => text(`${more}\r\n`),
    text,
    bytes(bytes) {
      flush()
      if (!socket.destroyed && socket.writable) socket.write(bytes)
    },
    flush,
    async ready() {
      if (!isBehind() || socket.destroyed) return
      await new Promise<void>((resolve) => {
        const end = () => {
          socket.off('drain', end).off('close', end)
          resolve()
        }
        socket.on('drain', end).on('close', end)
      })
    },
    isBehind
  }
}
