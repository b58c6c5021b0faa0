import { MAX_LINE_BYTES } from './exported.ts'

export interface Line {
  text: string
  /** From 1. */
  number: number
  /** Position after the line. */
  end: number
}

const LINE_FEED = 0x0a
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The lines of a stream, one after the other; only one and a chunk are in memory. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  fail: (number: number, problem: string) => Error
): AsyncGenerator<Line, void, void> {
  let parts: Uint8Array[] = []
  let waiting = 0
  let number = 0
  let end = 0

  function finish(last: Uint8Array): Line {
    const bytes = Buffer.concat([...parts, last])
    parts = []
    waiting = 0
    number++
    try {
      return { text: utf8.decode(bytes), number, end }
    } catch {
      throw fail(number, 'it is not UTF-8')
    }
  }

  for await (const chunk of chunks) {
    let start = 0
    for (;;) {
      const feed = chunk.indexOf(LINE_FEED, start)
      if (feed === -1) break
      end += feed + 1 - start
      yield finish(chunk.subarray(start, feed))
      start = feed + 1
    }
    const rest = chunk.subarray(start)
    end += rest.length
    waiting += rest.length
    if (waiting > MAX_LINE_BYTES) {
      throw fail(number + 1, `it is longer than ${MAX_LINE_BYTES} bytes`)
    }
    if (rest.length > 0) parts.push(rest)
  }
  if (parts.length > 0) yield finish(new Uint8Array())
}
