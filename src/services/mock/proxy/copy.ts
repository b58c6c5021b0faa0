import { pipeline, type Readable, Transform } from 'node:stream'

/** A stream that runs on to somebody else, and the bytes of it as far as they were kept. */
export interface Copy {
  stream: Readable
  /** All bytes; nothing while it runs, when it broke off, or when there were too many. */
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
  // Whoever reads the stream meets the error there.
  pipeline(source, stream, () => {})
  return {
    stream,
    bytes: () => (complete && size <= maxBytes ? Buffer.concat(chunks) : undefined)
  }
}
