/** Shorter ones would be found by chance. */
const MIN_LENGTH = 4
export const HIDDEN = '(* value hidden *)'

/**
 * Replaces secrets in a text of a mail server, which may repeat what it was sent: as they are, with
 * the escapes of quoted strings, or in Base64, wherever they begin in what was encoded.
 */
export function redact(text: string, secrets: Iterable<string>): string {
  let shown = text
  for (const secret of secrets) {
    if (secret.length < MIN_LENGTH) continue
    for (const spelling of spellingsOf(secret)) shown = shown.replaceAll(spelling, HIDDEN)
  }
  return shown
}

function spellingsOf(secret: string): readonly string[] {
  const escaped = secret.replace(/["\\]/g, '\\$&')
  return [secret, escaped, ...[0, 1, 2].map((offset) => encodedAt(secret, offset))].filter(
    (spelling) => spelling.length >= MIN_LENGTH
  )
}

/** The characters of Base64 that depend on the secret alone, if so many bytes are before it. */
function encodedAt(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 3))
  return whole.toString('base64').slice(offset === 0 ? 0 : 4)
}
