/** Shorter ones would be found by chance. */
const MIN_LENGTH = 4
/** Of the beginning of a secret at the end of a text. */
const MIN_CUT_LENGTH = 8
export const HIDDEN = '(* value hidden *)'

/**
 * Replaces secrets in a text of a mail server, which may repeat what it was sent: as they are, with
 * the escapes of quoted strings, or in Base64, wherever they begin in what was encoded. A text that
 * was cut may end within a secret.
 */
export function redact(text: string, secrets: Iterable<string>): string {
  let shown = text
  for (const secret of secrets) {
    if (secret.length < MIN_LENGTH) continue
    for (const spelling of spellingsOf(secret)) {
      shown = withoutBeginning(shown.replaceAll(spelling, HIDDEN), spelling)
    }
  }
  return shown
}

function withoutBeginning(text: string, secret: string): string {
  const start = secret.slice(0, MIN_CUT_LENGTH)
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
    if (secret.startsWith(text.slice(at))) return text.slice(0, at) + HIDDEN
  }
  return text
}

function spellingsOf(secret: string): readonly string[] {
  const escaped = secret.replace(/["\\]/g, '\\$&')
  return [secret, escaped, ...[0, 1, 2].map((offset) => encodedAt(secret, offset))].filter(
    (spelling) => spelling.length >= MIN_LENGTH
  )
}

/** The characters of Base64 that depend on the secret alone, if `offset` bytes precede it. */
function encodedAt(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 3))
  return whole.toString('base64').slice(offset === 0 ? 0 : 4)
}
