import { isLoopback } from './addresses.ts'
import type { Configuration } from './configuration-reader.ts'

const HIDDEN_PROXY = 'a proxy that adds no header looks like a local client'
/** For operators whose requests need no token. */
export const PROXY_NOTE = `Behind a proxy, set --public-url: ${HIDDEN_PROXY}`
/** The same for `nonet mock`, which has no such flag. */
export const MOCK_PROXY_NOTE = `Behind a proxy, set NONET_PUBLIC_URL=mock=<url>: ${HIDDEN_PROXY}`

/**
 * Whether the settings tell that other machines can send requests: directly, or through a proxy,
 * whose URL, IP address or host name is set.
 */
export function isExposed(configuration: Configuration): boolean {
  const { publicUrl, trustedProxy, allowedHost } = configuration
  const isBehindProxy = [Object.keys(publicUrl), trustedProxy, allowedHost].some(
    ({ length }) => length > 0
  )
  return isBehindProxy || !listeningHosts(configuration).every(isLoopback)
}

export function listeningHosts({ lan, host }: Configuration): readonly string[] {
  return lan ? ['0.0.0.0', '::'] : host
}

/** Host names that links may contain and requests to the console may have. */
export function knownHosts({ allowedHost, publicUrl }: Configuration): readonly string[] {
  return [...allowedHost, ...Object.values(publicUrl).map((url) => new URL(url).host)]
}
