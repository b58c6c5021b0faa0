import { isIP, type LookupFunction } from 'node:net'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import { isInRanges } from './base-url.ts'
import { findDecoder } from './content-decoding.ts'
import { UserError } from './errors.ts'
import { withOwnVia } from './forwarded.ts'
import {
  isLoopbackIp,
  isMetadataIp,
  isOwnHost,
  isOwnIp,
  isPrivateIp,
  rangesOf
} from './ip-ranges.ts'
import { JoinedBytes } from './joined-bytes.ts'
import { loadOnce } from './load-once.ts'
import { OutboundError, toOutboundError } from './outbound-error.ts'
import type { OutboundSockets } from './outbound-sockets.ts'
import {
  headersOf,
  type OutboundResponse,
  type OutboundStream,
  toStreamed
} from './outbound-stream.ts'

export { OutboundError }

interface Target {
  method: string
  headers?: Readonly<Record<string, string>>
  /** Maximum size of the response's body. */
  maxBytes: number
  /** Whether a request that came through a proxy causes this one: loopback is then not allowed. */
  forwarded?: boolean | undefined
  /** Whether the operator named exactly this URL, which may be of a console of nonet. */
  named?: boolean | undefined
  /**
   * `any`: an operator named the URL, so all IP addresses are allowed, those of this machine too,
   * except link-local ones and those of metadata services.
   */
  egress?: 'any' | undefined
  /** Whether the URL is nonet's own, of the console or `Kernel.localUrl`, and always allowed. */
  toConsole?: boolean | undefined
}

/** An HTTP request to another server. Redirects are returned, not followed. */
export interface OutboundRequest extends Target {
  body?: string | Uint8Array | undefined
  /** From the DNS look-up to the last byte of the response. */
  timeoutMs: number
  /** Whether only the status counts: the response has no body, and is there with the headers. */
  statusOnly?: boolean | undefined
  /** Aborts the request; the code of the error is ABORTED. */
  signal?: AbortSignal | undefined
}

/** Like `OutboundRequest`, but its bodies need not fit into memory. */
export interface StreamedRequest extends Target {
  body?: string | Uint8Array | OutboundStream | undefined
  /** Maximum time without progress: until the next byte is sent or received. */
  idleTimeoutMs: number
}

export interface Outbound extends OutboundSockets {
  fetch: (url: string, request: OutboundRequest) => Promise<Response>
  /** Resolves when the headers have arrived; the body is neither joined nor decoded. */
  send: (url: string, request: StreamedRequest) => Promise<OutboundResponse>
  /** Whether a request fails without DNS: by its scheme, its user-info or a private IP address. */
  isBlocked: (url: string, target?: Pick<Target, 'forwarded' | 'egress'>) => boolean
  /** SRV records; empty if the name has no such records, or if they cannot be found in time. */
  findServices: (name: string, timeoutMs: number) => Promise<readonly ServiceRecord[]>
  /** MX records; empty like SRV records. */
  findExchangers: (name: string, timeoutMs: number) => Promise<readonly MailExchanger[]>
  close: () => Promise<void>
}

/** An SRV record of DNS. */
export interface ServiceRecord {
  readonly name: string
  readonly port: number
  readonly priority: number
  readonly weight: number
}

/** An MX record of DNS. */
export interface MailExchanger {
  readonly name: string
  readonly priority: number
}

export interface OutboundOptions {
  /** Whether loopback is allowed: safe while only this machine can cause requests. */
  loopback: boolean
  /** IP addresses, CIDR ranges or host names that the operator allows. */
  allow: readonly string[]
  /** Resolves a name to all its IP addresses; the system's resolver by default. */
  resolve?: (name: string) => Promise<readonly string[]>
  /** SRV and MX records of a name; by default from the name servers of the system. */
  resolveServices?: (name: string) => Promise<readonly ServiceRecord[]>
  resolveExchangers?: (name: string) => Promise<readonly MailExchanger[]>
}

const CONNECT_TIMEOUT_MS = 3000
/** Of the rest of a response that only counts by its status; then its connection is closed. */
const DISCARDED_BYTES = 64 * 1024
const DISCARDED_MS = 5000

/** The name of a request turned out to be of this machine, so it is repeated with `Via`. */
class OwnMachine extends Error {}

/**
 * Connections are kept by kind, because a kept one is not checked again: `far` never leads to this
 * machine, `near` may, `closed` only as far as the operator allows it, `console` is not checked.
 * `farOfOperator` and `nearOfOperator` may lead to private addresses.
 */
type Kind = 'far' | 'near' | 'closed' | 'console' | 'farOfOperator' | 'nearOfOperator'

/** Requests of these kinds have no `Via` header. */
function isFar(kind: Kind): boolean {
  return kind === 'far' || kind === 'farOfOperator'
}

/**
 * For requests to URLs that are not trusted; IP addresses are checked on each connection. Requests
 * to this machine have a `Via` header, so that they never reach nonet's own console.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const allowedNames = new Set(options.allow.filter(isName).map(checkName))
  const allowedRanges = rangesOf(options.allow.filter((entry) => !isName(entry)))
  const { resolve = resolveName } = options
  const { resolveServices = resolveSrvRecords, resolveExchangers = resolveMxRecords } = options
  const agents = new Map<Kind, Promise<Agent>>()
  /** IP addresses of names that `far` has looked up, for the request that is repeated. */
  const lookedUp = new Map<string, readonly string[]>()

  function isAllowed(ip: string, kind: Kind): boolean {
    if (kind === 'console' || isInRanges(allowedRanges, ip)) return true
    if (kind === 'farOfOperator' || kind === 'nearOfOperator') return !isMetadataIp(ip)
    return isLoopbackIp(ip) ? kind === 'near' : !isPrivateIp(ip)
  }

  async function resolveIps(name: string, kind: Kind): Promise<readonly string[]> {
    const ips = lookedUp.get(name) ?? (await resolve(name))
    if (ips.length === 0) throw new OutboundError('ENOTFOUND')
    if (isFar(kind) && ips.some(isOwnIp)) {
      lookedUp.set(name, ips)
      throw new OwnMachine()
    }
    if (!allowedNames.has(name.toLowerCase()) && !ips.every((ip) => isAllowed(ip, kind))) {
      throw new OutboundError('ADDRESS_REFUSED')
    }
    return ips
  }

  async function openAgent(kind: Kind): Promise<Agent> {
    const undici = await import('undici')
    const lookup = lookupWith((name) => resolveIps(name, kind))
    const checked = undici.buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup })
    const connect: buildConnector.connector = (target, done) => {
      if (isIP(target.hostname) !== 0 && !isAllowed(target.hostname, kind)) {
        done(new OutboundError('ADDRESS_REFUSED'), null)
      } else checked(target, done)
    }
    return new undici.Agent({ connect })
  }

  async function request(kind: Kind, url: URL, target: Target, options: RequestOptions) {
    const agent = agents.get(kind) ?? openAgent(kind)
    agents.set(kind, agent)
    const { body = null } = options
    const isStream = isStreamed(body)
    const headers = {
      'accept-encoding': 'identity',
      ...target.headers,
      ...(isStream && { 'content-length': String(body.length) })
    }
    return (await agent).request({
      ...options,
      origin: url.origin,
      path: url.pathname + url.search,
      method: target.method as Dispatcher.HttpMethod,
      headers: isFar(kind) || target.named ? headers : withOwnVia(headers),
      body: isStream ? body.open() : body
    })
  }

  async function exchange(url: URL, target: Target, options: RequestOptions) {
    if (target.toConsole) return request('console', url, target, options)
    const near = nearKind(target)
    if (isOwnHost(url.hostname)) return request(near, url, target, options)
    try {
      return await request(
        near === 'nearOfOperator' ? 'farOfOperator' : 'far',
        url,
        target,
        options
      )
    } catch (error) {
      if (!(error instanceof OwnMachine)) throw error
      return await request(near, url, target, options).finally(() => lookedUp.delete(url.hostname))
    }
  }

  /** Of requests to this machine. */
  function nearKind({ forwarded = false, egress }: Pick<Target, 'forwarded' | 'egress'>): Kind {
    if (egress === 'any') return 'nearOfOperator'
    return options.loopback && !forwarded ? 'near' : 'closed'
  }

  function isBlocked(text: string, target: Pick<Target, 'forwarded' | 'egress'> = {}): boolean {
    if (!URL.canParse(text)) return true
    const url = new URL(text)
    if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return true
    const ip = url.hostname.replace(/^\[|\]$/g, '')
    return isIP(ip) !== 0 && !isAllowed(ip, nearKind(target))
  }

  function rejectBlocked(url: string, target: Target): void {
    if (!target.toConsole && isBlocked(url, target)) throw new OutboundError('ADDRESS_REFUSED')
  }

  const sockets = loadOnce(async () => {
    const { createOutboundSockets } = await import('./outbound-sockets.ts')
    return createOutboundSockets({
      isAllowedIp: (ip) => isInRanges(allowedRanges, ip),
      isAllowedName: (name) => allowedNames.has(name.toLowerCase()),
      resolve
    })
  })

  return {
    isBlocked,
    connect: async (host, port, options) => (await sockets()).connect(host, port, options),
    check: async (host, port, options) => (await sockets()).check(host, port, options),
    findServices: (name, timeoutMs) =>
      withDeadline(timeoutMs, () => resolveServices(name)).catch(() => []),
    findExchangers: (name, timeoutMs) =>
      withDeadline(timeoutMs, () => resolveExchangers(name)).catch(() => []),
    async fetch(url, request) {
      rejectBlocked(url, request)
      const { timeoutMs, maxBytes, body, statusOnly = false, signal: stop } = request
      return withDeadline(
        timeoutMs,
        async (signal) => {
          const response = await exchange(new URL(url), request, { body, signal })
          if (statusOnly) return discardBody(response)
          return toResponse(response, await readBody(response, maxBytes), maxBytes)
        },
        stop
      )
    },
    async send(url, request) {
      rejectBlocked(url, request)
      const { idleTimeoutMs, maxBytes, body } = request
      const idle = { headersTimeout: idleTimeoutMs, bodyTimeout: idleTimeoutMs }
      try {
        return toStreamed(await exchange(new URL(url), request, { body, ...idle }), maxBytes)
      } catch (error) {
        throw toOutboundError(error)
      }
    },
    async close() {
      await Promise.all([...agents.values()].map(async (agent) => (await agent).close()))
    }
  }
}

interface RequestOptions {
  body: string | Uint8Array | OutboundStream | null | undefined
  signal?: AbortSignal
  headersTimeout?: number
  bodyTimeout?: number
}

function isStreamed(body: RequestOptions['body']): body is OutboundStream {
  return typeof body === 'object' && body !== null && 'open' in body
}

/**
 * The socket connects to the IP addresses that `resolve` returns, without another look-up, so a
 * name cannot change its IP address between a check in `resolve` and the connection.
 */
export function lookupWith(resolve: (name: string) => Promise<readonly string[]>): LookupFunction {
  return (name, { all }, done) => {
    resolve(name).then(
      (ips) => {
        const found = ips.map((ip) => ({ address: ip, family: isIP(ip) }))
        if (all) done(null, found)
        else done(null, found[0]?.address ?? '', found[0]?.family)
      },
      (error) => done(error, '')
    )
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

export async function resolveName(name: string): Promise<readonly string[]> {
  const { lookup } = await import('node:dns/promises')
  const found = await lookup(name, { all: true })
  return found.map(({ address: ip }) => ip)
}

async function resolveSrvRecords(name: string): Promise<readonly ServiceRecord[]> {
  const { resolveSrv } = await import('node:dns/promises')
  return resolveSrv(name)
}

async function resolveMxRecords(name: string): Promise<readonly MailExchanger[]> {
  const { resolveMx } = await import('node:dns/promises')
  return (await resolveMx(name)).map(({ exchange, priority }) => ({ name: exchange, priority }))
}

/** The deadline is raced as well, because undici ignores the signal until it is connected. */
async function withDeadline<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  stop?: AbortSignal
): Promise<T> {
  if (stop?.aborted) throw new OutboundError('ABORTED')
  const deadline = new AbortController()
  const expired = Promise.withResolvers<never>()
  const end = (code: string) => {
    const error = new OutboundError(code)
    deadline.abort(error)
    expired.reject(error)
  }
  const timer = setTimeout(end, timeoutMs, 'TIMEOUT')
  const onStop = () => end('ABORTED')
  stop?.addEventListener('abort', onStop)
  try {
    return await Promise.race([work(deadline.signal), expired.promise])
  } catch (error) {
    throw toOutboundError(error)
  } finally {
    clearTimeout(timer)
    stop?.removeEventListener('abort', onStop)
  }
}

/** What is short is read, so that the connection can be used again. */
function discardBody({ statusCode, body }: Dispatcher.ResponseData): Response {
  body.on('error', () => {})
  const signal = AbortSignal.timeout(DISCARDED_MS)
  body.dump({ limit: DISCARDED_BYTES, signal }).catch(() => {})
  return new Response(null, { status: statusCode })
}

async function readBody(response: Dispatcher.ResponseData, maxBytes: number): Promise<Buffer> {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) return abandon(response)
  const bytes = new JoinedBytes()
  for await (const chunk of response.body) {
    bytes.add(chunk)
    if (bytes.size > maxBytes) return abandon(response)
  }
  return bytes.take()
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
  const headers = headersOf(response)
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
