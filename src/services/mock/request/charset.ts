import { isUtf8 } from 'node:buffer'
import { Malformed } from './text-value.ts'

/** Undefined if the character set is not supported. */
export function decodeText(
  bytes: Uint8Array,
  charset: string | undefined
): string | Malformed | undefined {
  const label = charset?.toLowerCase() ?? 'utf-8'
  if (label === 'utf-8' || label === 'utf8') {
    if (!isUtf8(bytes)) return new Malformed('is not valid UTF-8')
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
    // A byte order mark is not part of the text.
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  }
  const decoder = createDecoder(label)
  if (decoder === undefined) return undefined
  try {
    return decoder.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return new Malformed(`is not valid ${label}`)
    throw error
  }
}

function createDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label, { fatal: true })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
