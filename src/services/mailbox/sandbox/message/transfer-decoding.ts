/** Decodes the content of a part that arrives in pieces. */
export interface TransferDecoder {
  write: (bytes: Buffer) => Buffer
  end: () => Buffer
}

const EMPTY = Buffer.alloc(0)
const EQUALS = 61
const CR = 13
const LF = 10
/** Longer than any end of a line of quoted-printable that must be seen whole. */
const MAX_PENDING_BYTES = 1024

/** Encodings that are not known, such as `8bit`, leave the bytes as they are. */
export function createTransferDecoder(encoding: string): TransferDecoder {
  if (encoding === 'base64') return createBase64Decoder()
  if (encoding === 'quoted-printable') return createQuotedPrintableDecoder()
  return { write: (bytes) => bytes, end: () => EMPTY }
}

/** Characters outside of the alphabet are skipped; padding may be in the middle. */
function createBase64Decoder(): TransferDecoder {
  let pending = ''
  return {
    write(bytes) {
      const text = pending + bytes.toString('latin1').replace(/[^A-Za-z0-9+/=]+/g, '')
      // Node stops at the first padding.
      const segments = text.split(/=+/)
      const last = segments.pop() ?? ''
      const whole = last.length - (last.length % 4)
      pending = last.slice(whole)
      segments.push(last.slice(0, whole))
      const decoded = segments.map((segment) => Buffer.from(segment, 'base64'))
      return decoded.length === 1 ? (decoded[0] ?? EMPTY) : Buffer.concat(decoded)
    },
    end() {
      const rest = pending
      pending = ''
      return Buffer.from(rest, 'base64')
    }
  }
}

function createQuotedPrintableDecoder(): TransferDecoder {
  let pending = EMPTY
  return {
    write(bytes) {
      const joined = pending.length === 0 ? bytes : Buffer.concat([pending, bytes])
      const end = safeEnd(joined)
      pending = Buffer.from(joined.subarray(end))
      return decodeQuotedPrintable(joined.subarray(0, end), false)
    },
    end() {
      const rest = pending
      pending = EMPTY
      return decodeQuotedPrintable(rest, true)
    }
  }
}

/** Where a code, a soft line end or white space at the end of a line may be incomplete. */
function safeEnd(bytes: Buffer): number {
  let end = bytes.length
  const least = Math.max(0, end - MAX_PENDING_BYTES)
  while (end > least && isBlank(bytes[end - 1])) end--
  for (let at = Math.max(least, end - 2); at < end; at++) if (bytes[at] === EQUALS) return at
  return end
}

function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === CR
}

function decodeQuotedPrintable(bytes: Buffer, isEnd: boolean): Buffer {
  const decoded = Buffer.allocUnsafe(bytes.length)
  let size = 0
  let blanks = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === EQUALS) {
      const lineEnd = softLineEnd(bytes, at + 1, isEnd)
      const code = lineEnd === undefined ? codeAt(bytes, at + 1) : undefined
      blanks = 0
      if (lineEnd !== undefined) at = lineEnd
      else if (code === undefined) decoded[size++] = byte
      else {
        decoded[size++] = code
        at += 2
      }
      continue
    }
    // White space at the end of a line was added on the way (RFC 2045 6.7).
    if (byte === CR && bytes[at + 1] === LF) size -= blanks
    else if (byte === LF && bytes[at - 1] !== CR) size -= blanks
    blanks = byte === 32 || byte === 9 ? blanks + 1 : 0
    decoded[size++] = byte
  }
  return decoded.subarray(0, size)
}

/** Index of the line feed of `= \t\r\n`; of the last byte if the text ends there. */
function softLineEnd(bytes: Buffer, from: number, isEnd: boolean): number | undefined {
  let at = from
  while (bytes[at] === 32 || bytes[at] === 9) at++
  if (bytes[at] === CR) at++
  if (bytes[at] === LF) return at
  return isEnd && at >= bytes.length ? bytes.length - 1 : undefined
}

function codeAt(bytes: Buffer, at: number): number | undefined {
  const text = bytes.toString('latin1', at, at + 2)
  return /^[0-9a-f]{2}$/i.test(text) ? Number.parseInt(text, 16) : undefined
}
