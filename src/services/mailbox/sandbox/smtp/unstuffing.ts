const DOT = 46
const CR = 13
const LF = 10
const LINE_END = Buffer.from('\r\n')
const LINE_START = Buffer.from('\n.')
/** Length of `CR LF . CR`, which may become the end of a message with the next byte. */
const MAX_UNDECIDED = 4

export interface Unstuffed {
  readonly content: Buffer
  /** What follows the end of the message; undefined before it. */
  readonly rest: Buffer | undefined
}

/**
 * Finds the end of a message that SMTP transfers, and removes the first of two dots at the start of
 * a line (RFC 5321 4.5.2). Only `CR LF . CR LF` is an end, so that a message cannot contain one for
 * a server that sends it on.
 */
export function createUnstuffing(): (chunk: Buffer) => Unstuffed {
  // A message begins at the start of a line.
  let undecided: Buffer = LINE_END
  let outside = LINE_END.length

  return function unstuff(chunk) {
    const bytes = Buffer.concat([undecided, chunk])
    const pieces: Buffer[] = []
    /** The next byte of the message that is not in `pieces`. */
    let from = outside
    /** What is before it is decided, and no start of a line. */
    let decided = 0
    for (;;) {
      const dot = bytes.indexOf(LINE_START, decided) + 1
      if (dot === 0) break
      if (isEnd(bytes, dot, decided)) {
        if (dot > from) pieces.push(bytes.subarray(from, dot))
        return { content: Buffer.concat(pieces), rest: bytes.subarray(dot + 3) }
      }
      if (bytes[dot + 1] === DOT) {
        if (dot > from) pieces.push(bytes.subarray(from, dot))
        from = dot + 1
        decided = dot + 1
      } else if (dot + 2 < bytes.length) {
        decided = dot
      } else {
        break
      }
    }
    const kept = Math.max(decided, bytes.length - MAX_UNDECIDED)
    if (kept > from) pieces.push(bytes.subarray(from, kept))
    undecided = bytes.subarray(kept)
    outside = Math.max(from - kept, 0)
    return { content: Buffer.concat(pieces), rest: undefined }
  }
}

function isEnd(bytes: Buffer, dot: number, decided: number): boolean {
  const isLineStart = dot - 2 >= decided && bytes[dot - 2] === CR
  return isLineStart && bytes[dot + 1] === CR && bytes[dot + 2] === LF
}
