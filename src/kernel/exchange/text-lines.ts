import { readLines } from '../read-lines.ts'

/** Bytes of one line. */
const MAX_LINE_BYTES = 8 * 1024 * 1024

export interface TextLine {
  text: string
  /** From 1. */
  number: number
  /** Position after the line. */
  end: number
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The lines of an export, one after the other; only one and a chunk are in memory. */
export async function* readTextLines(
  chunks: AsyncIterable<Uint8Array>,
  fail: (number: number, problem: string) => Error
): AsyncGenerator<TextLine, void, void> {
  let end = 0
  for await (const lines of readLines(chunks, MAX_LINE_BYTES)) {
    for (const { number, bytes } of lines) {
      if (bytes === undefined) throw fail(number, `it is longer than ${MAX_LINE_BYTES} bytes`)
      end += bytes.length + 1
      yield { text: decode(bytes, number), number, end }
    }
  }

  function decode(bytes: Buffer, number: number): string {
    try {
      return utf8.decode(bytes)
    } catch {
      throw fail(number, 'it is not UTF-8')
    }
  }
}
