const LF = 10
const CR = 13
const CRLF = Buffer.from('\r\n')

/** Gives a line feed without a carriage return one; mail has no other line ends. */
export async function* withMailLineEnds(
  source: AsyncIterable<Uint8Array>
): AsyncGenerator<Uint8Array> {
  let lastByte = 0
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    if (bytes.length === 0) continue
    yield completeLineEnds(bytes, lastByte)
    lastByte = bytes.at(-1) ?? 0
  }
}

function completeLineEnds(bytes: Buffer, byteBefore: number): Buffer {
  const pieces: Buffer[] = []
  let start = 0
  let lineFeed = bytes.indexOf(LF)
  while (lineFeed !== -1) {
    const before = lineFeed === 0 ? byteBefore : bytes[lineFeed - 1]
    if (before !== CR) {
      pieces.push(bytes.subarray(start, lineFeed), CRLF)
      start = lineFeed + 1
    }
    lineFeed = bytes.indexOf(LF, lineFeed + 1)
  }
  if (pieces.length === 0) return bytes
  return Buffer.concat([...pieces, bytes.subarray(start)])
}
