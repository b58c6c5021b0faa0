import libmime from 'libmime'
import { decodeBinary, decodeText } from './charset.ts'
import type { EnvelopeAddress, MailAddress } from './facts.ts'

/** The text of an unstructured field or a name: encoded words (RFC 2047) and UTF-8 decoded. */
export function decodeHeaderText(binary: string): string {
  const text = decodeBinary(binary)
  return cleanText(text.includes('=?') ? libmime.decodeWords(text) : text)
}

/** Without characters that a database rejects or that would break a line. */
export function cleanText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  return text.replace(/[\0-\u001f\u007f]+/g, ' ').toWellFormed()
}

export function decodeAddresses(addresses: readonly EnvelopeAddress[]): readonly MailAddress[] {
  return addresses.flatMap(([name, , mailbox, host]) => {
    if (mailbox === null) return []
    if (host === null) return [{ name: decodeHeaderText(mailbox), address: '' }]
    return [
      {
        name: decodeHeaderText(name ?? '').trim(),
        address: cleanText(`${decodeBinary(mailbox)}@${decodeBinary(host)}`)
      }
    ]
  })
}

/** A parameter by its name: encoded by RFC 2231 (`name*`), else as it is, maybe with RFC 2047. */
export function decodeParameter(
  parameters: Readonly<Record<string, string>>,
  name: string
): string | undefined {
  const extended = Object.hasOwn(parameters, `${name}*`) ? parameters[`${name}*`] : undefined
  if (extended !== undefined) return cleanText(decodeExtended(extended))
  const plain = Object.hasOwn(parameters, name) ? parameters[name] : undefined
  return plain === undefined ? undefined : decodeHeaderText(plain)
}

/** `utf-8'en'%e2%82%ac`. */
function decodeExtended(value: string): string {
  const [charset = '', , ...rest] = value.split("'")
  if (rest.length === 0) return decodeBinary(value)
  const bytes = rest
    .join("'")
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return decodeText(Buffer.from(bytes, 'latin1'), charset)
}
