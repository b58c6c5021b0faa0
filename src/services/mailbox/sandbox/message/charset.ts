import { isUtf8 } from 'node:buffer'
import charset from 'libmime/lib/charset.js'

/** Decodes a text that arrives in pieces. */
export interface CharsetDecoder {
  write: (bytes: Buffer) => string
  end: () => string
}

/** Of a text in a charset that cannot be decoded in pieces; the rest is left out. */
const MAX_BUFFERED_BYTES = 1024 * 1024

/** A text without a charset, or in US-ASCII, may be UTF-8 (RFC 6532). */
const ASCII = /^(?:|us-ascii|ascii|7bit|8bit|unknown-8bit|default)$/

/** For any name; a charset that is not known is read as UTF-8. */
export function createCharsetDecoder(name: string | undefined): CharsetDecoder {
  const label = (name ?? '').trim().toLowerCase()
  const decoder = createTextDecoder(ASCII.test(label) ? 'utf-8' : label)
  if (decoder === undefined) return createBufferedDecoder(label)
  return {
    write: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode()
  }
}

function createTextDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label)
  } catch (error) {
    // A name that the platform does not know.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function createBufferedDecoder(label: string): CharsetDecoder {
  const pieces: Buffer[] = []
  let size = 0
  return {
    write(bytes) {
      const kept = bytes.subarray(0, MAX_BUFFERED_BYTES - size)
      if (kept.length > 0) pieces.push(kept)
      size += kept.length
      return ''
    },
    end: () => charset.decode(Buffer.concat(pieces), label)
  }
}

export function decodeText(bytes: Buffer, name: string | undefined): string {
  const decoder = createCharsetDecoder(name)
  return decoder.write(bytes) + decoder.end()
}

/** Bytes above 127 in a header are UTF-8, or Latin 1 if they cannot be UTF-8. */
export function decodeBinary(binary: string): string {
  if (!/[\u0080-\u00ff]/.test(binary)) return binary
  const bytes = Buffer.from(binary, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : decodeText(bytes, 'windows-1252')
}
