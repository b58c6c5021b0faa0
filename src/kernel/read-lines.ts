import { JoinedBytes } from './joined-bytes.ts'

const LINE_FEED = 0x0a

export interface Line {
  /** Line number, from 1. */
  readonly number: number
  /** Undefined if the line is longer than the maximum. */
  readonly bytes: Buffer | undefined
}

/** The lines of a stream, those that end in one chunk at a time; buffers at most one line. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  firstNumber = 1
): AsyncGenerator<readonly Line[]> {
  let number = firstNumber
  const line = new JoinedBytes()
  let size = 0

  function add(part: Uint8Array): void {
    size += part.length
    if (size > maxBytes) line.clear()
    else line.add(part)
  }

  function finish(): Line {
    const bytes = line.take()
    const finished = { number: number++, bytes: size > maxBytes ? undefined : bytes }
    size = 0
    return finished
  }

  for await (const chunk of chunks) {
    const lines: Line[] = []
    let from = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      add(chunk.subarray(from, end))
      lines.push(finish())
      from = end + 1
    }
    add(chunk.subarray(from))
    yield lines
  }
  if (size > 0) yield [finish()]
}
