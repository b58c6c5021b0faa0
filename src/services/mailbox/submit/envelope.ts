import { domainToASCII } from 'node:url'
import type { MailAddressInput } from '../api/schemas/compose.ts'
import { parseAddresses } from '../sandbox/message/addresses.ts'
import { fieldValues, type HeaderField } from '../sandbox/message/header.ts'
import { decodeAddresses } from '../sandbox/message/header-text.ts'

/** Of one header field. */
const MAX_ADDRESSES = 10_000

/** Addresses of all fields with these names, also malformed ones, which the caller rejects. */
export function headerAddresses(
  fields: readonly HeaderField[],
  names: readonly string[]
): readonly MailAddressInput[] {
  const values = names.flatMap((name) => fieldValues(fields, name))
  return values
    .flatMap((value) => decodeAddresses(parseAddresses(value, MAX_ADDRESSES)))
    .filter(({ address }) => address !== '')
}

/** Each address once, with the form of its domain that every server understands. */
export function recipientsOf(addresses: readonly string[]): readonly string[] {
  const known = new Map(addresses.map((address) => [address.toLowerCase(), address]))
  return [...known.values()].map(withAsciiDomain)
}

export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  // An address literal is no name.
  const ascii = domain.startsWith('[') ? domain : domainToASCII(domain)
  return at === -1 || ascii === '' ? address : `${address.slice(0, at)}@${ascii}`
}
