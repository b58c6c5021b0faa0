import { domainToUnicode } from 'node:url'

const MAX_LENGTH = 254
/** Atoms of RFC 5322, and other characters than ASCII (RFC 6532) that can be seen. */
const ATOM = "(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-]|[^\\0-\\x7f\\p{C}\\p{Z}])+"
const LOCAL_PART = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`, 'u')
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]*[\\p{L}\\p{M}\\p{N}])?'
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`, 'u')
const LITERAL = /^\[[0-9a-f.:]+\]$|^\[ipv6:[0-9a-f.:]+\]$/i

/**
 * An email address in lower case, with the Unicode form of its domain; undefined if it is malformed.
 * Quoted local parts are not accepted, although RFC 5321 allows them.
 */
export function normaliseAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const domain = text.slice(at + 1)
  if (at < 1 || text.length > MAX_LENGTH || !LOCAL_PART.test(local)) return undefined
  if (LITERAL.test(domain)) return `${local}@${domain}`.toLowerCase()
  // Checked before too: the conversion drops line ends and decodes percent signs.
  const unicode = DOMAIN.test(domain) ? domainToUnicode(domain) : ''
  return DOMAIN.test(unicode) ? `${local}@${unicode}`.toLowerCase() : undefined
}

/** The normalised addresses whose account gets the mail, first the more exact one: `user+tag@` is also `user@`. */
export function lookupAddresses(address: string): readonly string[] {
  const at = address.lastIndexOf('@')
  const plus = address.indexOf('+')
  if (plus < 1 || plus > at) return [address]
  return [address, address.slice(0, plus) + address.slice(at)]
}
