import { pipeline, type Readable, Transform } from 'node:stream'

/** A stream that is passed on, and a copy of its bytes up to a limit. */
export interface Copy {
  stream: Readable
  /** All bytes; undefined before the end, after an error, or if there are too many. */
  bytes: () => Buffer | undefined
}

export function copyWhileRunning(source: Readable, maxBytes: number): Copy {
  const chunks: Buffer[] = []
  let size = 0
  let complete = false
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
      else chunks.length = 0
      done(null, chunk)
    },
    flush(done) {
      complete = true
      done()
    }
  })
  // The reader of the stream receives the error.
  pipeline(source, stream, () => {})
  return {
    stream,
    bytes: () => (complete && size <= maxBytes ? Buffer.concat(chunks) : undefined)
  }
}
