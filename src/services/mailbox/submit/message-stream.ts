import { withoutBcc } from './header-block.ts'

const HEADER_END = Buffer.from('\r\n\r\n')

/**
 * What is sent of a stored message: all but `Bcc`. The last piece follows after `beforeEnd` has
 * resolved, because the server may accept the message from then on.
 */
export async function* sentBytes(
  source: AsyncIterable<Uint8Array>,
  beforeEnd: () => Promise<void>,
  onProgress: () => void
): AsyncGenerator<Buffer> {
  let last: Buffer | undefined
  for await (const piece of withSentHeader(source)) {
    onProgress()
    if (last !== undefined) yield last
    last = piece
  }
  await beforeEnd()
  if (last !== undefined) yield last
}

async function* withSentHeader(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let header: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    if (header === undefined) {
      yield bytes
      continue
    }
    header = Buffer.concat([header, bytes])
    if (!header.includes(HEADER_END)) continue
    yield withoutBcc(header)
    header = undefined
  }
  if (header !== undefined) yield withoutBcc(header)
}
