import { cutText } from '../../../kernel/cut-text.ts'

/** Of most file systems, in bytes; a character has up to three of them per UTF-16 unit. */
const MAX_LENGTH = 80
const MAX_EXTENSION = 12
/** Not in names of files, and signs that show a name as another one. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu

/** A name for URLs, exports and downloads, without folders; the extension stays. */
export function safeFileName(name: string | undefined): string {
  const plain = (name ?? '')
    .toWellFormed()
    .normalize('NFC')
    .replace(UNSAFE, '-')
    .replace(/\s+/g, ' ')
    .replace(/^[-. ]+|[. ]+$/g, '')
  if (plain === '') return 'attachment'
  if (plain.length <= MAX_LENGTH) return plain
  const dot = plain.lastIndexOf('.')
  const extension = dot > 0 && plain.length - dot <= MAX_EXTENSION ? plain.slice(dot) : ''
  return cutText(plain, MAX_LENGTH - extension.length) + extension
}
