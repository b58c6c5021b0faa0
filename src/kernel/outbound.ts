import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import { isInRanges, parseRanges } from './base-url.ts'
import { findDecoder } from './content-decoding.ts'
import { UserError } from './errors.ts'

/** An HTTP request to another server. Redirects are returned, not followed. */
export interface OutboundRequest {
  method: string
  headers?: Readonly<Record<string, string>>
  body?: string | undefined
  /** From the DNS look-up to the last byte of the response. */
  timeoutMs: number
  /** Maximum size of the response's body. */
  maxBytes: number
}

export interface Outbound {
  fetch: (url: string, request: OutboundRequest) => Promise<Response>
  /** Whether a request fails without DNS: by its scheme, its user-info or a private IP address. */
  isBlocked: (url: string) => boolean
  close: () => Promise<void>
}

export interface OutboundOptions {
  /** Whether loopback is allowed: safe while only this machine can cause requests. */
  loopback: boolean
  /** IP addresses, CIDR ranges or host names that the operator allows. */
  allow: readonly string[]
  /** Origins nonet itself listens on; requests to them are always allowed, not blocked. */
  localOrigins: () => readonly string[]
  /** Resolves a name to all its IP addresses; the system's resolver by default. */
  resolve?: (name: string) => Promise<readonly string[]>
}

/** `code` is TIMEOUT, TOO_LARGE, ADDRESS_REFUSED or a system code; no message names the target. */
export class OutboundError extends Error {
  readonly code: string

  constructor(code: string, options?: ErrorOptions) {
    super(`Outbound request failed (${code})`, options)
    this.name = 'OutboundError'
    this.code = code
  }
}

const CONNECT_TIMEOUT_MS = 3000

const LOOPBACK_RANGES = ['127.0.0.0/8', '::1/128']

/** IANA special-purpose registries: not globally reachable. */
const PRIVATE_IPV4_RANGES = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4'
]

/** IPv4-compatible, local NAT64, discard, Teredo, documentation, local and multicast. */
const PRIVATE_IPV6_RANGES = [
  '::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8'
]

/** IPv6 ranges that a NAT64 translator or 6to4 relay routes to the embedded IPv4 address. */
function embeddedRanges(range: string): string[] {
  const [ip = '', bits = ''] = range.split('/')
  const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number)
  const high = ((a << 8) | b).toString(16)
  const low = ((c << 8) | d).toString(16)
  return [
    `::ffff:0:${ip}/${96 + Number(bits)}`,
    `64:ff9b::${ip}/${96 + Number(bits)}`,
    `2002:${high}:${low}::/${16 + Number(bits)}`
  ]
}

let nonPublicRanges: { loopback: BlockList; private: BlockList } | undefined

/** Created for the first IP address that is checked, because most starts check none. */
function rangesCloseBy() {
  nonPublicRanges ??= {
    loopback: rangesOf(LOOPBACK_RANGES),
    private: rangesOf([
      ...PRIVATE_IPV4_RANGES,
      ...PRIVATE_IPV4_RANGES.flatMap(embeddedRanges),
      ...PRIVATE_IPV6_RANGES
    ])
  }
  return nonPublicRanges
}

function rangesOf(ranges: readonly string[]): BlockList {
  return parseRanges(ranges) ?? new BlockList()
}

/** For requests to URLs that are not trusted; IP addresses are checked on each connection. */
export function createOutbound(options: OutboundOptions): Outbound {
  const allowedNames = new Set(options.allow.filter(isName).map(checkName))
  const allowedRanges = rangesOf(options.allow.filter((entry) => !isName(entry)))
  const resolve = options.resolve ?? resolveName
  let agent: Promise<Agent> | undefined

  function isAllowed(ip: string): boolean {
    if (isInRanges(allowedRanges, ip)) return true
    const ranges = rangesCloseBy()
    if (isInRanges(ranges.loopback, ip)) return options.loopback
    return !isInRanges(ranges.private, ip)
  }

  async function resolveIps(name: string): Promise<readonly string[]> {
    const ips = await resolve(name)
    if (ips.length === 0) throw new OutboundError('ENOTFOUND')
    if (!allowedNames.has(name.toLowerCase()) && !ips.every(isAllowed)) {
      throw new OutboundError('ADDRESS_REFUSED')
    }
    return ips
  }

  // The socket connects to the IP addresses returned here without another look-up,
  // so a name cannot change its IP address between the check and the connection.
  const checkedLookup: LookupFunction = (name, { all }, done) => {
    resolveIps(name).then(
      (ips) => {
        const found = ips.map((ip) => ({ address: ip, family: isIP(ip) }))
        if (all) done(null, found)
        else done(null, found[0]?.address ?? '', found[0]?.family)
      },
      (error) => done(error, '')
    )
  }

  function isLocalOrigin(origin: string): boolean {
    return options.localOrigins().includes(origin)
  }

  async function openAgent(): Promise<Agent> {
    const undici = await import('undici')
    const plain = undici.buildConnector({ timeout: CONNECT_TIMEOUT_MS })
    const checked = undici.buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: checkedLookup })
    const connect: buildConnector.connector = (target, done) => {
      if (isLocalOrigin(`${target.protocol}//${target.host}`)) return plain(target, done)
      const isLiteral = isIP(target.hostname) !== 0
      if (isLiteral && !isAllowed(target.hostname)) done(new OutboundError('ADDRESS_REFUSED'), null)
      else checked(target, done)
    }
    return new undici.Agent({ connect })
  }

  async function exchange(url: URL, request: OutboundRequest, signal: AbortSignal) {
    agent ??= openAgent()
    const response = await (await agent).request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method as Dispatcher.HttpMethod,
      headers: { 'accept-encoding': 'identity', ...request.headers },
      body: request.body ?? null,
      signal
    })
    return toResponse(response, await readBody(response, request.maxBytes), request.maxBytes)
  }

  function isBlocked(text: string): boolean {
    if (!URL.canParse(text)) return true
    const url = new URL(text)
    if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return true
    const ip = url.hostname.replace(/^\[|\]$/g, '')
    return isIP(ip) !== 0 && !isAllowed(ip) && !isLocalOrigin(url.origin)
  }

  return {
    isBlocked,
    async fetch(url, request) {
      if (isBlocked(url)) throw new OutboundError('ADDRESS_REFUSED')
      return withDeadline(request.timeoutMs, (signal) => exchange(new URL(url), request, signal))
    },
    async close() {
      await (await agent)?.close()
    }
  }
}

function checkName(name: string): string {
  if (!/^[a-z0-9_.-]+$/i.test(name)) {
    throw new UserError(`${name} is neither a host name, an IP address nor a CIDR range`)
  }
  return name.toLowerCase()
}

function isName(entry: string): boolean {
  return isIP(entry.split('/')[0] ?? '') === 0
}

async function resolveName(name: string): Promise<readonly string[]> {
  const { lookup } = await import('node:dns/promises')
  const found = await lookup(name, { all: true })
  return found.map(({ address: ip }) => ip)
}

/** The deadline is raced as well, because undici ignores the signal until it is connected. */
async function withDeadline<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>
): Promise<T> {
  const deadline = new AbortController()
  const expired = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = new OutboundError('TIMEOUT')
    deadline.abort(error)
    expired.reject(error)
  }, timeoutMs)
  try {
    return await Promise.race([work(deadline.signal), expired.promise])
  } catch (error) {
    throw toOutboundError(error)
  } finally {
    clearTimeout(timer)
  }
}

function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN'
  return new OutboundError(code === 'ERR_BUFFER_TOO_LARGE' ? 'TOO_LARGE' : code, { cause: error })
}

async function readBody(response: Dispatcher.ResponseData, maxBytes: number): Promise<Buffer> {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) return abandon(response)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > maxBytes) return abandon(response)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function abandon(response: Dispatcher.ResponseData): never {
  const error = new OutboundError('TOO_LARGE')
  response.body.on('error', () => {}).destroy(error)
  throw error
}

/** A server that compresses although `identity` was requested is decoded under the same limit. */
async function toResponse(
  response: Dispatcher.ResponseData,
  bytes: Buffer,
  maxBytes: number
): Promise<Response> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(response.headers)) {
    for (const item of [value ?? []].flat()) headers.append(name, item)
  }
  const encoding = headers.get('content-encoding')
  const decode = encoding === null ? undefined : await findDecoder(encoding)
  const body = decode === undefined ? bytes : await decode(bytes, { maxOutputLength: maxBytes })
  if (decode !== undefined) headers.delete('content-encoding')
  headers.delete('content-length')
  return new Response(hasNoBody(response.statusCode) ? null : new Uint8Array(body), {
    status: response.statusCode,
    headers
  })
}

function hasNoBody(status: number): boolean {
  return status === 204 || status === 205 || status === 304
}
