/** More escapes than this take more bytes than a literal. */
const MAX_ESCAPES = 4

/**
 * A string of IMAP (RFC 3501 4.3): quoted, or a literal if it has bytes that cannot be quoted. The
 * result is a binary string, like the argument: each character is one byte.
 */
export function imapString(binary: string): string {
  const escapes = binary.match(/["\\]/g)?.length ?? 0
  if (/[\0\r\n\u0080-\u00ff]/.test(binary) || escapes > MAX_ESCAPES) return imapLiteral(binary)
  return `"${binary.replace(/["\\]/g, '\\$&')}"`
}

function imapLiteral(binary: string): string {
  const bytes = binary.replaceAll('\0', '\u0080')
  return `{${bytes.length}}\r\n${bytes}`
}

export function imapNullable(binary: string | null | undefined): string {
  return binary === undefined || binary === null ? 'NIL' : imapString(binary)
}

/** For texts that people read: white space becomes one space, none at the ends. */
export function imapText(binary: string | null | undefined): string {
  return imapNullable(binary?.replace(/[\t ]+/g, ' ').replace(/^ | $/g, ''))
}
