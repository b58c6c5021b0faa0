import { isCrossSite } from '../../../kernel/cross-site.ts'
import { isForwarded } from '../../../kernel/forwarded.ts'
import { OutboundError } from '../../../kernel/outbound.ts'
import { Problem } from '../contract.ts'
import type { Surroundings } from '../engine/dependencies.ts'
import type { Exchange } from '../engine/exchange.ts'
import type { MockedExchange } from '../engine/mock-response.ts'
import type { EngineOptions } from '../engine/options.ts'
import type { ExpressionContext } from '../expression/expression-context.ts'
import { urlOf } from '../expression/url.ts'
import type { Callback, Operation } from '../model/api.ts'
import { parseQuery } from '../request/query-string.ts'
import type { ServedApi } from '../served-api.ts'
import type { OutgoingCall } from './request-to.ts'

export interface Callbacks {
  /** Returns at once; the response to the client does not wait for callbacks. */
  send: (exchange: Exchange, mocked: MockedExchange) => void
  idle: () => Promise<void>
  close: () => void
}

const TIMEOUT_MS = 10_000
const MAX_REPLY_BYTES = 1024 * 1024
/** Maximum number of concurrent callbacks, because clients trigger them. */
const MAX_UNDER_WAY = 64

const CROSS_SITE = 'the request was sent by a page of another site'
const THROUGH_PROXY =
  'the request came through a proxy, so loopback is not allowed; see --outbound-allow (ADDRESS_REFUSED)'

export function createCallbacks(options: EngineOptions, surroundings: Surroundings): Callbacks {
  const underWay = new Set<Promise<void>>()
  let isOpen = options.callbacks

  function start(exchange: Exchange, callback: Callback, subject: ExpressionContext): void {
    const { api: served, operation } = exchange
    if (served === undefined || operation === undefined) return
    const running = call(exchange, { served, operation }, callback, subject)
      .catch((error) => surroundings.defect(error, exchange.incoming))
      .finally(() => underWay.delete(running))
    underWay.add(running)
  }

  async function call(
    { arrived }: Exchange,
    { served, operation }: { served: ServedApi; operation: Operation },
    callback: Callback,
    subject: ExpressionContext
  ): Promise<void> {
    const isCrowded = underWay.size >= MAX_UNDER_WAY
    // The response to the client is sent first.
    await new Promise(setImmediate)
    const started = performance.now()
    const { method } = callback.operation
    const forwarded = isForwarded(arrived)
    const outcome = isCrossSite(arrived.headers)
      ? failed('', CROSS_SITE, true)
      : isCrowded
        ? failed('', `${MAX_UNDER_WAY} callbacks are already running`)
        : await exchangeWith(served, callback, subject, forwarded)
    const milliseconds = performance.now() - started
    surroundings.calledBack?.({ operation, callback, method, milliseconds, ...outcome })
  }

  async function exchangeWith(
    served: ServedApi,
    callback: Callback,
    subject: ExpressionContext,
    forwarded: boolean
  ) {
    const { expandUrl } = await import('../expression/expand-url.ts')
    const { makeRequestTo } = await import('./request-to.ts')
    let url = ''
    try {
      const { expression, operation } = callback
      const target = expandUrl(expression, subject)
      const request = await makeRequestTo(target, served, operation, options)
      url = request.url
      return await deliver(served, operation, request, forwarded)
    } catch (error) {
      if (error instanceof Problem) return failed(url, error.message)
      if (!(error instanceof OutboundError)) throw error
      const isRefused = forwarded && error.code === 'ADDRESS_REFUSED'
      return isRefused ? failed(url, THROUGH_PROXY, true) : failed(url, error.code)
    }
  }

  async function deliver(
    served: ServedApi,
    operation: Operation,
    request: OutgoingCall,
    forwarded: boolean
  ) {
    const { url, method, headers, body } = request
    if (!/^https?:/i.test(url) || !URL.canParse(url)) {
      return failed(url, 'the expression does not produce an http URL')
    }
    const reply = await surroundings.outbound.fetch(url, {
      method,
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_REPLY_BYTES,
      forwarded
    })
    const { readReply } = await import('./reply.ts')
    const { diagnostics } = await readReply(served, operation, reply)
    return { url, status: reply.status, failure: undefined, refused: false, diagnostics }
  }

  return {
    send(exchange, mocked) {
      const called = exchange.operation?.callbacks ?? []
      if (called.length === 0 || !isOpen) return
      const subject = subjectOf(exchange, mocked)
      for (const callback of called) start(exchange, callback, subject)
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    close() {
      isOpen = false
    }
  }
}

function failed(url: string, error: string, refused = false) {
  return { url, status: undefined, failure: error, refused, diagnostics: [] }
}

function subjectOf(exchange: Exchange, { mocked, check }: MockedExchange): ExpressionContext {
  const { incoming } = exchange
  const query = parseQuery(incoming.query)
  return {
    url: () => urlOf(incoming),
    method: () => incoming.method,
    status: () => mocked.status,
    path: (name) => check.values.path[name.toLowerCase()],
    query: (name) => query.pairs.find((pair) => pair.name === name)?.value,
    requestHeader: (name) =>
      Object.hasOwn(incoming.headers, name) ? incoming.headers[name] : undefined,
    requestBody: () => check.values.body,
    responseHeader: (name) =>
      Object.hasOwn(mocked.headers, name) ? mocked.headers[name] : undefined,
    responseBody: () => mocked.value,
    generators: undefined
  }
}
