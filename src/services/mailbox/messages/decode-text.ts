import { createCharsetDecoder } from '../sandbox/message/charset.ts'
import { createTransferDecoder } from '../sandbox/message/transfer-decoding.ts'
import { joinFlowedLines } from './flowed-text.ts'
import { type MessageLeaf, parameterOf } from './structure.ts'

/** The text of a part: without its transfer encoding and line breaks that only wrap lines. */
export function decodeLeaf({ type, encoding, parameters }: MessageLeaf, bytes: Buffer): string {
  const transfer = createTransferDecoder(encoding)
  const charset = createCharsetDecoder(parameterOf(parameters, 'charset'))
  const text = charset.write(transfer.write(bytes)) + charset.write(transfer.end()) + charset.end()
  const clean = text.replaceAll('\r\n', '\n').replaceAll('\0', '\ufffd').toWellFormed()
  const isFlowed = parameterOf(parameters, 'format')?.toLowerCase() === 'flowed'
  if (type !== 'text/plain' || !isFlowed) return clean
  return joinFlowedLines(clean, parameterOf(parameters, 'delsp')?.toLowerCase() === 'yes')
}

/** Bytes of a part that contain at least `bytes` of its text. */
export function encodedBytes({ encoding }: MessageLeaf, bytes: number): number {
  // Line ends and soft breaks included.
  if (encoding === 'base64') return Math.ceil(bytes * 1.4) + 4
  return encoding === 'quoted-printable' ? bytes * 3 + Math.ceil(bytes / 20) + 4 : bytes + 4
}

/** The first `most` bytes in UTF-8, without a part of a character. */
export function cutBytes(text: string, most: number): string {
  if (text.length * 3 <= most) return text
  const bytes = Buffer.from(text)
  if (bytes.length <= most) return text
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, most), {
    stream: true
  })
}
