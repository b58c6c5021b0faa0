import { Readable } from 'node:stream'
import { JoinedBytes } from '../../../kernel/joined-bytes.ts'
import { discard } from './discard.ts'

/** A stream that is passed on, and a copy of its bytes up to a limit. */
export interface Copy {
  stream: Readable
  /** All bytes; undefined before the end, after an error, or if there are too many. */
  bytes: () => Buffer | undefined
}

/** Pulls from the source, so that short pieces are joined while the reader is busy. */
export function copyWhileRunning(source: Readable, maxBytes: number): Copy {
  let bytes: Buffer | undefined
  async function* copying() {
    const copied = new JoinedBytes()
    let size = 0
    for await (const chunk of source) {
      size += chunk.length
      if (size <= maxBytes) copied.add(chunk)
      else copied.clear()
      yield chunk
    }
    if (size <= maxBytes) bytes = copied.take()
  }
  // The reader of the stream receives errors of the source.
  const stream = Readable.from(copying(), { objectMode: false })
  return { stream: stream.once('close', () => discard(source)), bytes: () => bytes }
}
