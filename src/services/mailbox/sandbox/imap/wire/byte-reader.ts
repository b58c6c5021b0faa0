import type { Socket } from 'node:net'

/** Small pieces of a line are joined when there are so many, so that they cost little memory. */
const MAX_PIECES = 64

/** A line longer than allowed; what follows in the stream has no meaning. */
export class LineTooLong extends Error {
  override name = 'LineTooLong'
}

/** Reads a socket on demand, so that a client that sends faster than it is served has to wait. */
export interface ByteReader {
  /** Without its line end; undefined at the end of the stream. */
  readLine: (maxBytes: number) => Promise<Buffer | undefined>
  /** At least one byte; undefined at the end of the stream. */
  readSome: (maxBytes: number) => Promise<Buffer | undefined>
  /** Forgets what has arrived and stops reading the socket. */
  detach: () => void
}

export function createByteReader(socket: Socket): ByteReader {
  let rest: Buffer | undefined
  let wake: (() => void) | undefined
  let isEnded = socket.destroyed
  const onReadable = () => wake?.()
  const onEnd = () => {
    isEnded = true
    wake?.()
  }
  socket.on('readable', onReadable).on('end', onEnd).on('close', onEnd)

  async function next(): Promise<Buffer | undefined> {
    for (;;) {
      if (rest !== undefined) {
        const bytes = rest
        rest = undefined
        return bytes
      }
      const chunk: Buffer | null = socket.read()
      if (chunk !== null) return chunk
      if (isEnded) return undefined
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  function putBack(bytes: Buffer): void {
    if (bytes.length > 0) rest = bytes
  }

  return {
    async readLine(maxBytes) {
      let pieces: Buffer[] = []
      let size = 0
      for (;;) {
        const chunk = await next()
        if (chunk === undefined) return undefined
        const end = chunk.indexOf(0x0a)
        const piece = end === -1 ? chunk : chunk.subarray(0, end)
        pieces.push(piece)
        size += piece.length
        if (size > maxBytes + 1) throw new LineTooLong()
        if (end !== -1) {
          putBack(chunk.subarray(end + 1))
          return withoutReturn(pieces.length === 1 ? piece : Buffer.concat(pieces))
        }
        if (pieces.length === MAX_PIECES) pieces = [Buffer.concat(pieces)]
      }
    },
    async readSome(maxBytes) {
      const chunk = await next()
      if (chunk === undefined) return undefined
      putBack(chunk.subarray(maxBytes))
      return chunk.subarray(0, maxBytes)
    },
    detach() {
      socket.off('readable', onReadable).off('end', onEnd).off('close', onEnd)
      rest = undefined
      while (socket.read() !== null);
      onEnd()
    }
  }
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === 0x0d ? line.subarray(0, -1) : line
}
