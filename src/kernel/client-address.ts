import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isInRanges, parseRanges, plainAddress } from './base-url.ts'

export type ClientAddress = (request: IncomingMessage) => string

/** Who is at the other end, seen through the proxies the operator trusts and no others. */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const proxies = parseRanges(trustedProxies)
  return function clientAddress({ socket, headers }) {
    const peer = plainAddress(socket.remoteAddress ?? '')
    if (proxies === undefined || !isInRanges(proxies, peer)) return peer
    const header = headers['x-forwarded-for']
    const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',')
    // The last entry is the one our proxy wrote; everything before it is hearsay.
    let client = peer
    for (const hop of hops.reverse()) {
      const address = plainAddress(hop.trim())
      if (isIP(address) === 0) return client
      client = address
      if (!isInRanges(proxies, address)) return client
    }
    return client
  }
}
