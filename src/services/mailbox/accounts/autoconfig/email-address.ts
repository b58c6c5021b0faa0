import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import type { EmailAddress } from './configuration.ts'

const DOMAIN =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/

/** Undefined for what is no address with a domain of the public DNS. */
export function parseEmailAddress(text: string): EmailAddress | undefined {
  const at = text.lastIndexOf('@')
  const localPart = text.slice(0, at)
  const domain = normaliseDomain(text.slice(at + 1))
  if (at < 1 || domain === undefined || /[\p{Cc}\s<>,;]/u.test(localPart)) return undefined
  return { address: `${localPart}@${domain}`, localPart, domain }
}

/** A domain or host name in ASCII and lower case, with at least two labels; no IP address. */
export function normaliseDomain(text: string): string | undefined {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(text)) return undefined
  const domain = domainToASCII(text).replace(/\.$/, '')
  return isIP(domain) === 0 && DOMAIN.test(domain) ? domain : undefined
}
