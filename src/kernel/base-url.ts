import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { UserError } from './errors.ts'

export type BaseUrl = (request: IncomingMessage) => string

export interface BaseUrlOptions {
  /** Fixed URL set by the operator; takes precedence over all other rules. */
  publicUrl?: string | undefined
  /** IP addresses or CIDR ranges whose `X-Forwarded-*` headers are trusted. */
  trustedProxies: readonly string[]
  /** Host names that may be echoed besides localhost and IP literals, of a proxy's headers too. */
  allowedHosts: readonly string[]
}

/** Maximum number of cached URLs per service, because clients can send any number of hosts. */
const MAX_REMEMBERED = 64

const MAX_PORT = 65_535

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(\d{1,5}))?$/i

/** Whether a `Host` value may appear in links and may be used for the console. */
export function isKnownHost(host: string, allowedHosts: readonly string[]): boolean {
  const match = HOST.exec(host)
  if (match === null || Number(match[2] ?? 0) > MAX_PORT) return false
  const name = (match[1] ?? '').toLowerCase()
  if (name.startsWith('[')) return isIPv6(name.slice(1, -1))
  if (name === 'localhost' || name.endsWith('.localhost') || isIP(name) === 4) return true
  return allowedHosts.some((allowed) => {
    const wanted = allowed.toLowerCase()
    return wanted === name || wanted === host.toLowerCase()
  })
}

/** URL of a service with the host name of the request, which also works from other machines. */
export function serviceUrlFor({ headers }: Pick<IncomingMessage, 'headers'>, url: string): string {
  const service = new URL(url)
  service.hostname = new URL(`http://${headers.host}`).hostname
  return service.origin
}

/** Finds the URL the client used; only hosts and proxies that the operator allows are trusted. */
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
      const forwarded = fromProxy(request, allowedHosts)
      if (forwarded !== undefined) return forwarded
    }
    const { host } = request.headers
    return (host === undefined ? undefined : fromHost(host)) ?? socketUrl(request)
  }
}

/**
 * Both hosts must be known: clients choose the `Host`, and most proxies pass their `X-Forwarded-Host`
 * on.
 */
function fromProxy(
  { headers }: IncomingMessage,
  allowedHosts: readonly string[]
): string | undefined {
  // The first scheme is from the outermost proxy, the last host from the trusted, innermost one.
  const scheme = entriesOf(headers['x-forwarded-proto']).at(0)
  const forwardedHost = entriesOf(headers['x-forwarded-host']).at(-1)
  if (scheme === undefined && forwardedHost === undefined) return undefined
  if (scheme !== undefined && !/^https?$/.test(scheme)) return undefined
  const host = [forwardedHost, headers.host]
    .map((given) => withPort(given ?? '', scheme, headers['x-forwarded-port']))
    .find((given) => isKnownHost(given, allowedHosts))
  return host === undefined ? undefined : `${scheme ?? 'http'}://${host.toLowerCase()}`
}

function withPort(host: string, scheme: string | undefined, header: Header): string {
  const port = entriesOf(header).at(0)
  const standard = scheme === 'https' ? '443' : '80'
  if (port === undefined || port === standard || /:\d+$/.test(host)) return host
  return /^\d{1,5}$/.test(port) ? `${host}:${port}` : host
}

type Header = string | string[] | undefined

function entriesOf(header: Header): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '')
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

function socketUrl({ socket }: IncomingMessage): string {
  const ip = normaliseIp(socket.localAddress ?? '127.0.0.1')
  return `http://${isIPv6(ip) ? `[${ip}]` : ip}:${socket.localPort}`
}

/** Dual-stack sockets report IPv4 peers as `::ffff:a.b.c.d`. */
export function normaliseIp(ip: string): string {
  const rest = ip.slice('::ffff:'.length)
  return ip.toLowerCase().startsWith('::ffff:') && isIPv4(rest) ? rest : ip
}

export function parseRanges(ranges: readonly string[]): BlockList | undefined {
  if (ranges.length === 0) return undefined
  const list = new BlockList()
  for (const range of ranges) addRange(list, range)
  return list
}

function addRange(list: BlockList, range: string): void {
  const [ip = '', bits] = range.split('/')
  const family = isIPv6(ip) ? 'ipv6' : 'ipv4'
  const width = family === 'ipv6' ? 128 : 32
  const prefix = bits === undefined ? width : Number(bits)
  if (isIP(ip) === 0 || bits === '' || !Number.isInteger(prefix) || prefix < 0 || prefix > width) {
    throw new UserError(`${range} is neither an IP address nor a CIDR range`)
  }
  list.addSubnet(ip, prefix, family)
}

export function isInRanges(list: BlockList, ip: string | undefined): boolean {
  if (ip === undefined) return false
  const plain = normaliseIp(ip)
  return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}
