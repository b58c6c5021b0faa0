import { Problem } from '../contract.ts'
import { applyPreferences } from '../engine/apply-preferences.ts'
import type { Arrival, Exchange } from '../engine/exchange.ts'
import type { Hold } from '../engine/hold.ts'
import { expectedStatuses, unauthorized, unprocessable } from '../engine/invalid-request.ts'
import { type MockedExchange, mockResponse } from '../engine/mock-response.ts'
import type { FindOperationHandler, OperationHandler } from '../engine/operation-handler.ts'
import type { EngineOptions } from '../engine/options.ts'
import { createRoute } from '../engine/route.ts'
import { createChangeMocked } from '../engine/transform-response.ts'
import { bytesOf, type Diagnostic } from '../message.ts'
import type { RequestCheck } from '../request/check.ts'
import { readPreferences, readWillingly } from '../request/preferences.ts'
import { parseQuery, type Query } from '../request/query-string.ts'
import { checkResponse } from '../response/check-response.ts'
import { findResponse } from '../response/choose-response.ts'
import { isError, onSide } from '../response/report.ts'
import type { Match, Router } from '../routing/router.ts'
import type { ServedApi } from '../served-api.ts'
import { headerText } from '../transform/message-draft.ts'
import type { Transformer } from '../transform/transformer.ts'
import { decode } from './decode.ts'
import { discard } from './discard.ts'
import type { Forwarder, Returned } from './forward.ts'
import { holdResponse, judgeBytes, judgeResponse } from './judge-response.ts'
import { hasEnd, looksInside, readResponse } from './response-value.ts'
import { brokenOff, holdUpload, openUpload, settled, type Upload } from './upload.ts'

/** Responds from the upstream; returns the mocked exchange if the mock responded instead. */
export type Relay = (exchange: Exchange, signal: AbortSignal) => Promise<MockedExchange | undefined>

const UNKNOWN_ROUTE: Diagnostic = {
  location: ['request'],
  severity: 'Warning',
  message: 'The document has no operation for this request'
}

export function createRelay(
  forwarder: Forwarder,
  options: EngineOptions,
  router: Router<ServedApi>,
  handlerOf: FindOperationHandler,
  transformer: Transformer | undefined,
  hold: Hold | undefined
): Relay {
  const { upstream } = forwarder
  const limits = { maxBytes: options.maxBodyBytes, maxMs: upstream.maxHoldMs }
  const route = createRoute(router)
  const changeMocked = transformer && createChangeMocked(transformer)

  async function findMatch(exchange: Exchange): Promise<Match<ServedApi> | undefined> {
    if (transformer?.changesRequests) heed(exchange, parseQuery(exchange.incoming.query))
    const match = transformer?.changesRequests
      ? await transformer.request(exchange, { route, hold: holdRequest })
      : route(exchange)
    if (!(match instanceof Problem)) return match
    if (options.errors && !exchange.isSent) throw match
    return undefined
  }

  /** Buffers the body for rules that read it; a body that is too large stays a stream. */
  async function holdRequest(exchange: Exchange): Promise<void> {
    const { incoming } = exchange
    if (incoming.stream === undefined) return
    exchange.incoming = await holdUpload(incoming, options.maxBodyBytes)
  }

  async function checkRequest(request: Request, body: Uint8Array | undefined, isWhole: boolean) {
    const { incoming, handler, match, query } = request
    const encoding = incoming.headers['content-encoding'] ?? ''
    const decoded = body && (await decode(bytesOf(body), encoding, options.maxBodyBytes))
    const isReadable = isWhole && (decoded === undefined) === (body === undefined)
    const shown = { ...incoming, body: decoded, isDecoded: true }
    return await handler.checker.check(shown, match.pathValues, {
      query,
      validate: options.validateRequest && isReadable,
      security: options.validateSecurity
    })
  }

  /** With `errors`, invalid requests are rejected and not forwarded. */
  async function admit(
    exchange: Exchange,
    request: Request,
    upload: Upload
  ): Promise<RequestCheck> {
    const check = await checkRequest(request, upload.bytes(), upload.isWhole())
    exchange.values = check.values
    exchange.diagnostics = onSide('request', check.diagnostics)
    const statuses = expectedStatuses(check.diagnostics)
    if (statuses === undefined) return check
    throw statuses[0] === 401
      ? unauthorized(check)
      : unprocessable(check.diagnostics.filter(isError))
  }

  /** Removes the document's base path if the path of the upstream URL already ends with it. */
  function pathFor({ path }: Arrival, match: Match<ServedApi> | undefined): string {
    const base = match?.basePath ?? ''
    const isDoubled = base !== '' && upstream.url.pathname.replace(/\/$/, '').endsWith(base)
    return isDoubled ? path.slice(base.length) : path
  }

  async function send(incoming: Arrival, path: string, { body }: Upload, signal: AbortSignal) {
    try {
      return await forwarder.send({ incoming, path, body, signal })
    } catch (error) {
      throw incoming.stream?.errored ? brokenOff() : error
    }
  }

  async function passOn(
    exchange: Exchange,
    returned: Returned,
    handler: OperationHandler | undefined
  ) {
    const { status, headers } = returned
    exchange.forwarded = true
    exchange.response = handler && findResponse(handler.operation.responses, status)
    exchange.outgoing = { status, headers, body: undefined, stream: returned.body }
    if (handler?.operation.deprecated) headers.deprecation ??= 'true'
    const isChanged = transformer !== undefined && (await changePassed(exchange, transformer))
    if (handler !== undefined && options.validateResponse) await judge(exchange, handler, isChanged)
  }

  /** Applies the response rules; the body is buffered only if a rule or hook reads it. */
  async function changePassed(
    exchange: Exchange,
    { book, transformResponse: prepared, hooksSeeResponses: hooksResponses }: Transformer
  ): Promise<boolean> {
    const { outgoing, operation } = exchange
    const { response, final } = book.of(operation).byPhase
    if (response.length === 0 && final.length === 0 && !hooksResponses) return false
    const isLooking = hooksResponses || looksInside([...response, ...final], exchange)
    if (outgoing.stream !== undefined && isLooking && hasEnd(exchange)) {
      const { bytes, stream } = await holdResponse(outgoing.stream, limits)
      exchange.outgoing = { ...outgoing, body: bytes, stream }
      if (bytes !== undefined) {
        exchange.value = { value: await readResponse(exchange, bytes, options.maxBodyBytes) }
      }
    }
    return prepared(exchange, 'response')
  }

  async function judge(
    exchange: Exchange,
    { served, operation: documented }: OperationHandler,
    isChanged: boolean
  ) {
    const { incoming, outgoing, value } = exchange
    // HEAD of a documented GET is validated like a documented HEAD: it has no body.
    const operation = incoming.method === 'HEAD' ? { ...documented, method: 'HEAD' } : documented
    const { status, headers, body, stream } = outgoing
    const type = headerText(headers, 'content-type')
    let found: readonly Diagnostic[]
    if (stream !== undefined) {
      const judged = await judgeResponse(
        served,
        operation,
        { status, headers, body: stream },
        limits
      )
      exchange.outgoing = { status, headers, body: judged.held.bytes, stream: judged.held.stream }
      found = judged.diagnostics
    } else if (body !== undefined && !(isChanged && value?.value !== undefined)) {
      const bytes = bytesOf(body)
      found = await judgeBytes(served, operation, { status, headers }, bytes, limits.maxBytes)
    } else {
      const known = value?.value === undefined ? undefined : { value: value.value }
      found = checkResponse(served, operation, { status, headers, type, body: known })
    }
    exchange.diagnostics = [...exchange.diagnostics, ...onSide('response', found)]
  }

  /** Preferences may be meant for the upstream, so invalid ones are ignored. */
  function heed(exchange: Exchange, query: Query): void {
    const preferences = readWillingly(exchange.incoming.headers, query)
    applyPreferences(exchange, preferences, options.seed, hold)
  }

  async function sendOn(exchange: Exchange, path: string, upload: Upload, signal: AbortSignal) {
    const { incoming, operation } = exchange
    const rules = transformer?.book.of(operation).byPhase.upstream ?? []
    if (transformer === undefined || rules.length === 0) return send(incoming, path, upload, signal)
    const sent = await transformer.upstream(exchange, path)
    const body = sent.body === undefined ? upload : settled(sent.body)
    return send(sent.incoming, sent.path, body, signal)
  }

  return async function relay(exchange, signal) {
    const match = await findMatch(exchange)
    if (exchange.isSent) return undefined
    const handler = match && handlerOf(match)
    exchange.api = handler?.served
    exchange.operation = handler?.operation
    exchange.pathValues = match?.pathValues
    const isHeld = transformer?.book.of(handler?.operation).readsRequestBody('upstream') === true
    if (isHeld) await holdRequest(exchange)
    const { incoming } = exchange
    const query = parseQuery(incoming.query)
    heed(exchange, query)
    const upload = await openUpload(incoming, options)
    const request = match && handler && { incoming, match, handler, query }
    let check = options.errors && request ? await admit(exchange, request, upload) : undefined
    if (isHeld && request) check ??= await checkRequest(request, upload.bytes(), upload.isWhole())
    exchange.values = check?.values
    const path = pathFor(incoming, match)
    const returned = await sendOn(exchange, path, upload, signal)
    try {
      if (request) check ??= await checkRequest(request, upload.bytes(), upload.isWhole())
      exchange.values = check?.values
      if (request && check && upstream.mockedStatuses.includes(returned.status)) {
        discard(returned.body)
        const preferences = readPreferences(incoming.headers, query)
        const mocked = await mockResponse(exchange, request.handler, check, preferences)
        return (await changeMocked?.(exchange, mocked, options.validateResponse)) ?? mocked
      }
      incoming.body ??= upload.bytes()
      exchange.diagnostics = check ? onSide('request', check.diagnostics) : [UNKNOWN_ROUTE]
      await passOn(exchange, returned, handler)
      return undefined
    } catch (error) {
      discard(returned.body)
      throw error
    }
  }
}

interface Request {
  incoming: Arrival
  match: Match<ServedApi>
  handler: OperationHandler
  query: Query
}
