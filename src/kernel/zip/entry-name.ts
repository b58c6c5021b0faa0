import { crc32 } from 'node:zlib'
import { findExtraField } from './extra-field.ts'

/** Set in the flags of an entry whose name is UTF-8; other names are in code page 437. */
export const UTF8_NAME = 1 << 11

/** Info-ZIP's field with the UTF-8 form of a name in another encoding. */
const UNICODE_PATH = 0x7075

/** The upper half of code page 437; the lower half is ASCII. */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Systems in an entry's "made by" field whose programs write UTF-8 names without the flag. */
const UNIX = 3
const MACOS = 19

/** What an entry says about the encoding of its name. */
export interface NameEncoding {
  readonly flags: number
  readonly madeBy: number
  readonly extra: Buffer
}

/** Undefined if the name is declared as UTF-8 and is not. */
export function decodeName(
  name: Buffer,
  { flags, madeBy, extra }: NameEncoding
): string | undefined {
  if ((flags & UTF8_NAME) !== 0) return decodeUtf8(name)
  const field = findExtraField(extra, UNICODE_PATH)
  const isUsable = field !== undefined && field.length > 5 && field[0] === 1
  // The field belongs to an older name if the checksum differs.
  if (isUsable && field.readUInt32LE(1) === crc32(name)) return decodeUtf8(field.subarray(5))
  const isLikelyUtf8 = madeBy === UNIX || madeBy === MACOS
  return (isLikelyUtf8 ? decodeUtf8(name) : undefined) ?? decodeCp437(name)
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

function decodeCp437(bytes: Buffer): string {
  let text = ''
  for (const byte of bytes) text += byte < 128 ? String.fromCharCode(byte) : CP437[byte - 128]
  return text
}

/** What is wrong with a name that a program might use as a path; undefined if nothing is. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'is empty'
  if (name.includes('\0')) return 'contains a NUL character'
  if (name.includes('\\')) return 'contains a backslash'
  if (name.startsWith('/')) return 'is an absolute path'
  if (/^[A-Za-z]:/.test(name)) return 'starts with a drive letter'
  const segments = name.split('/')
  if (segments.includes('..')) return 'contains ".."'
  // "a//b" and "./a" are other spellings of a path, which a check for duplicates would miss.
  const inner = name.endsWith('/') ? segments.slice(0, -1) : segments
  return inner.some((segment) => segment === '' || segment === '.')
    ? 'is not a plain path'
    : undefined
}
