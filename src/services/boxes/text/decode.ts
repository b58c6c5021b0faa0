import { isUtf8 } from 'node:buffer'
import { invalidUtf8 } from './errors.ts'

const BYTE_ORDER_MARK = '\uFEFF'
const REPLACEMENT = '\uFFFD'
const REPLACEMENT_HEX = 'efbfbd'

/** The text of a body without its byte order mark; undefined if it is empty. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) throw invalidUtf8(firstBadByte(bytes))
  const text = viewOf(bytes).toString()
  const start = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0
  return text.length === start ? undefined : text.slice(start)
}

/** The first U+FFFD in the decoded text that the bytes do not contain marks the error. */
function firstBadByte(bytes: Uint8Array): number {
  const view = viewOf(bytes)
  const text = view.toString()
  let byte = 0
  let from = 0
  for (;;) {
    const found = text.indexOf(REPLACEMENT, from)
    byte += Buffer.byteLength(text.slice(from, found))
    if (view.toString('hex', byte, byte + 3) !== REPLACEMENT_HEX) return byte
    byte += 3
    from = found + 1
  }
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
