import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

/** Underscores are common in private networks. */
const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*$/

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are not in host names
const NOT_IN_HOSTS = /[\u0000-\u0020%/?#\\@:[\]]/

/**
 * An IP address, or a name in ASCII and lower case without a dot at the end; empty if the host is
 * neither. IP addresses with a zone are rejected.
 */
export function normaliseHost(host: string): string {
  const ip = host.replace(/^\[(.*)\]$/, '$1')
  if (isIP(ip) !== 0) return ip.includes('%') ? '' : ip
  // `domainToASCII` would cut off what a URL has before or after the host.
  if (NOT_IN_HOSTS.test(host)) return ''
  const name = domainToASCII(host).replace(/\.$/, '')
  return NAME.test(name) ? name : ''
}
