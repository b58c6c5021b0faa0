import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { withProxyVia } from '../../../kernel/forwarded.ts'
import { isOwnHost, isOwnIp } from '../../../kernel/ip-ranges.ts'
import { lookupWith, OutboundError, resolveName } from '../../../kernel/outbound.ts'
import { Problem } from '../contract.ts'
import type { Upstream } from '../engine/options.ts'
import type { Incoming } from '../message.ts'
import { climbsOut } from './dot-segments.ts'
import { forwardedHeaders, returnedHeaders } from './hop-headers.ts'

export interface Sending {
  incoming: Incoming
  /** Path relative to the path of the upstream URL. */
  path: string
  body: Readable | Uint8Array | null
  signal: AbortSignal
}

export interface Returned {
  status: number
  headers: Record<string, string | readonly string[]>
  body: Readable
}

export interface Forwarder {
  readonly upstream: Upstream
  send: (sending: Sending) => Promise<Returned>
  close: () => Promise<void>
}

const CONNECT_TIMEOUT_MS = 10_000

/**
 * The upstream may be any host, because the operator set it. Redirects are passed to the client.
 * Requests to an upstream on this machine have a `Via` header, so that its clients do not count as
 * local ones if it is nonet too.
 */
export function createForwarder(upstream: Upstream): Forwarder {
  const { url, proxy, timeoutMs } = upstream
  const basePath = url.pathname.replace(/\/$/, '')
  let opened: Promise<Dispatcher> | undefined
  let isOnThisMachine = isOwnHost(url.hostname)

  async function open(): Promise<Dispatcher> {
    const { Agent, ProxyAgent } = await import('undici')
    // Streams such as server-sent events may be idle for any length of time.
    const timeouts = { headersTimeout: timeoutMs, bodyTimeout: 0 }
    const connect = { timeout: CONNECT_TIMEOUT_MS }
    isOnThisMachine ||= (await resolveName(url.hostname).catch(() => [])).some(isOwnIp)
    return proxy === undefined
      ? new Agent({ ...timeouts, connect: { ...connect, lookup: lookupWith(resolveIps) } })
      : new ProxyAgent({ ...timeouts, uri: proxy, proxyTls: connect, requestTls: connect })
  }

  /** Refuses the connection if the name has become one of this machine; the next one has `Via`. */
  async function resolveIps(name: string): Promise<readonly string[]> {
    const ips = await resolveName(name)
    if (isOnThisMachine || !ips.some(isOwnIp)) return ips
    isOnThisMachine = true
    throw new OutboundError('ADDRESS_REFUSED')
  }

  return {
    upstream,
    async send({ incoming, path, body, signal }) {
      // Without a base path there is nothing above it that the client must not reach.
      if (basePath !== '' && climbsOut(path)) {
        throw new Problem(
          'MALFORMED_REQUEST',
          `The path leads out of ${basePath}, the base path of the upstream; remove its dot segments.`
        )
      }
      opened ??= open()
      const query = incoming.query === '' ? '' : `?${incoming.query}`
      const sent = forwardedHeaders(incoming.headers)
      try {
        const dispatcher = await opened
        const {
          statusCode,
          headers,
          body: response
        } = await dispatcher.request({
          origin: url.origin,
          path: basePath + path + query,
          method: incoming.method as Dispatcher.HttpMethod,
          headers: isOnThisMachine ? withProxyVia(sent) : sent,
          body,
          signal
        })
        return { status: statusCode, headers: returnedHeaders(headers), body: response }
      } catch (error) {
        throw explain(error, url)
      }
    },
    async close() {
      await (await opened)?.destroy()
    }
  }
}

function explain(error: unknown, { origin }: URL): Problem {
  const reason = error instanceof Error ? codeOf(error) : String(error)
  // Some requests that this server accepts, such as `OPTIONS *`, cannot be forwarded.
  if (reason === 'UND_ERR_INVALID_ARG') {
    return new Problem('MALFORMED_REQUEST', 'This request cannot be forwarded.')
  }
  return new Problem('UPSTREAM_UNREACHABLE', `${origin} did not respond (${reason}).`)
}

function codeOf(error: Error): string {
  return 'code' in error && error.code !== undefined ? String(error.code) : error.message
}
