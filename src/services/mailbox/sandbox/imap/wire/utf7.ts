/** Names of mailboxes on the wire: modified UTF-7 of RFC 3501 5.1.3. */

export function encodeUtf7(name: string): string {
  return name.replace(/&|[^\x20-\x7e]+/g, (text) => (text === '&' ? '&-' : `&${encode(text)}-`))
}

/** Undefined if the text is not what `encodeUtf7` gives for a name. */
export function decodeUtf7(text: string): string | undefined {
  const name = text.replace(/&([^-]*)-/g, (_, code: string) => (code === '' ? '&' : decode(code)))
  return encodeUtf7(name) === text ? name : undefined
}

function encode(text: string): string {
  const bytes = Buffer.from(text, 'utf16le').swap16()
  return bytes.toString('base64').replace(/=+$/, '').replaceAll('/', ',')
}

function decode(code: string): string {
  const bytes = Buffer.from(code.replaceAll(',', '/'), 'base64')
  return bytes
    .subarray(0, bytes.length & ~1)
    .swap16()
    .toString('utf16le')
}
