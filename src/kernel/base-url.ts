import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { StartFailure } from './failures.ts'

export type BaseUrl = (request: IncomingMessage) => string

export interface BaseUrlOptions {
  /** Fixed address told by the operator; ends every other rule. */
  publicUrl?: string | undefined
  /** Addresses or CIDR ranges whose `X-Forwarded-*` headers count. */
  trustedProxies: readonly string[]
  /** Host names that may be echoed besides localhost and IP literals. */
  allowedHosts: readonly string[]
}

/** Distinct addresses remembered per service; a flood of `Host` values cannot grow it. */
const MAX_REMEMBERED = 64

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(\d{1,5}))?$/i

/** Whether a `Host` value may be echoed into links or reach the console. */
export function isKnownHost(host: string, allowedHosts: readonly string[]): boolean {
  const match = HOST.exec(host)
  if (match === null) return false
  const name = (match[1] ?? '').toLowerCase()
  if (name.startsWith('[')) return isIPv6(name.slice(1, -1))
  if (name === 'localhost' || name.endsWith('.localhost') || isIP(name) === 4) return true
  return allowedHosts.some((allowed) => {
    const wanted = allowed.toLowerCase()
    return wanted === name || wanted === host.toLowerCase()
  })
}

/** Finds the address a client used, trusting only what the operator told us to trust. */
export function createBaseUrl(options: BaseUrlOptions): BaseUrl {
  const { publicUrl, allowedHosts } = options
  if (publicUrl !== undefined) {
    const fixed = publicUrl.replace(/\/+$/, '')
    return () => fixed
  }
  const proxies = parseRanges(options.trustedProxies)
  const remembered = new Map<string, string>()

  function fromHost(host: string): string | undefined {
    const known = remembered.get(host)
    if (known !== undefined) return known
    if (!isKnownHost(host, allowedHosts)) return undefined
    const base = `http://${host.toLowerCase()}`
    if (remembered.size < MAX_REMEMBERED) remembered.set(host, base)
    return base
  }

  return function baseUrl(request) {
    if (proxies !== undefined && isInRanges(proxies, request.socket.remoteAddress)) {
      const forwarded = fromProxy(request)
      if (forwarded !== undefined) return forwarded
    }
    const { host } = request.headers
    return (host === undefined ? undefined : fromHost(host)) ?? socketAddress(request)
  }
}

/** The proxy is trusted, but a value it passes on unchecked must still look like a host. */
function fromProxy(request: IncomingMessage): string | undefined {
  const { headers } = request
  const forwardedScheme = firstOf(headers['x-forwarded-proto'])
  const forwardedHost = firstOf(headers['x-forwarded-host'])
  if (forwardedScheme === undefined && forwardedHost === undefined) return undefined
  const scheme = forwardedScheme ?? 'http'
  const host = forwardedHost ?? headers.host
  if (host === undefined || !HOST.test(host) || !/^https?$/.test(scheme)) return undefined
  const port = firstOf(headers['x-forwarded-port'])
  const standard = scheme === 'https' ? '443' : '80'
  const needsPort = port !== undefined && /^\d{1,5}$/.test(port) && port !== standard
  return `${scheme}://${host.toLowerCase()}${needsPort && !/:\d+$/.test(host) ? `:${port}` : ''}`
}

function firstOf(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header[0] : header
  return text?.split(',')[0]?.trim() || undefined
}

function socketAddress({ socket }: IncomingMessage): string {
  const address = plainAddress(socket.localAddress ?? '127.0.0.1')
  return `http://${isIPv6(address) ? `[${address}]` : address}:${socket.localPort}`
}

/** Dual-stack sockets report IPv4 peers as `::ffff:a.b.c.d`. */
export function plainAddress(address: string): string {
  return address.toLowerCase().startsWith('::ffff:') && address.includes('.')
    ? address.slice('::ffff:'.length)
    : address
}

export function parseRanges(ranges: readonly string[]): BlockList | undefined {
  if (ranges.length === 0) return undefined
  const list = new BlockList()
  for (const range of ranges) addRange(list, range)
  return list
}

function addRange(list: BlockList, range: string): void {
  const [address = '', bits] = range.split('/')
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  const width = family === 'ipv6' ? 128 : 32
  const prefix = bits === undefined ? width : Number(bits)
  if (
    isIP(address) === 0 ||
    bits === '' ||
    !Number.isInteger(prefix) ||
    prefix < 0 ||
    prefix > width
  ) {
    throw new StartFailure(`${range} is neither an IP address nor a CIDR range`)
  }
  list.addSubnet(address, prefix, family)
}

export function isInRanges(list: BlockList, address: string | undefined): boolean {
  if (address === undefined) return false
  const plain = plainAddress(address)
  return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}
