import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isInRanges, normaliseIp, parseRanges } from './base-url.ts'

export type ClientIp = (request: IncomingMessage) => string

/** Finds the IP address of the client; only proxies that the operator trusts are skipped. */
export function createClientIp(trustedProxies: readonly string[]): ClientIp {
  const proxies = parseRanges(trustedProxies)
  return function clientIp({ socket, headers }) {
    const peer = normaliseIp(socket.remoteAddress ?? '')
    if (proxies === undefined || !isInRanges(proxies, peer)) return peer
    const header = headers['x-forwarded-for']
    const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',')
    // The last entry was written by the trusted proxy; a client can forge the entries before it.
    let client = peer
    for (const hop of hops.reverse()) {
      const ip = normaliseIp(hop.trim())
      if (isIP(ip) === 0) return client
      client = ip
      if (!isInRanges(proxies, ip)) return client
    }
    return client
  }
}
