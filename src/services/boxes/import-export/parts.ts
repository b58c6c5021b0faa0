import { UserError } from '../../../kernel/errors.ts'

const LINE_FEED = 0x0a
/** Size of one request, which has to arrive within the timeout of the server. */
const PART_BYTES = 2 * 1024 * 1024
const LONGEST_LINE_BYTES = 128 * 1024 * 1024

export interface FilePart {
  readonly bytes: Buffer<ArrayBuffer>
  /** Number of the first line in the file, from 1. */
  readonly firstLine: number
}

/** The file in parts of whole lines, a few megabytes each. */
export async function* partsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<FilePart> {
  let firstLine = 1
  let waiting: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1
    size += chunk.length
    if (size > LONGEST_LINE_BYTES)
      throw new UserError(`Line ${firstLine} or one after it is too long`)
    if (end === 0 || size < PART_BYTES) {
      waiting.push(chunk)
      continue
    }
    const bytes = Buffer.concat([...waiting, chunk.subarray(0, end)])
    yield { bytes, firstLine }
    firstLine += countLines(bytes)
    waiting = [chunk.subarray(end)]
    size = chunk.length - end
  }
  if (size > 0) yield { bytes: Buffer.concat(waiting), firstLine }
}

function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) lines++
  return lines
}
