import { after } from '../after.ts'
import { createCallbacks } from '../callbacks/callbacks.ts'
import { Problem } from '../contract.ts'
import type { Incoming } from '../message.ts'
import { discard } from '../proxy/discard.ts'
import { readPreferences, readWillingly } from '../request/preferences.ts'
import { parseQuery } from '../request/query-string.ts'
import { renderProblem } from '../response/problem-response.ts'
import { formatReport, isError, VIOLATIONS_HEADER } from '../response/report.ts'
import { createRouter, type Match } from '../routing/router.ts'
import type { ServedApi } from '../served-api.ts'
import { Cut } from '../transform/cut.ts'
import type { Transformer } from '../transform/transformer.ts'
import { applyPreferences } from './apply-preferences.ts'
import { addCors, handlePreflight, isPreflight } from './cors.ts'
import type { Surroundings } from './dependencies.ts'
import { type Arrival, type Exchange, type OutgoingResponse, openExchange } from './exchange.ts'
import { limitHanging } from './hold.ts'
import { violations } from './invalid-request.ts'
import { type MockedExchange, mockResponse } from './mock-response.ts'
import { openRelay } from './open-relay.ts'
import { openTransformer } from './open-transformer.ts'
import { createOperationHandlers, limitHeapGrowth } from './operation-handler.ts'
import type { EngineOptions } from './options.ts'
import { createPauses } from './pauses.ts'
import { createRoute } from './route.ts'
import { type Checked, createTakeOver } from './take-over.ts'
import { createChangeMocked } from './transform-response.ts'

export interface Engine {
  readonly options: EngineOptions
  /** Whether `handle` takes requests whose bodies are not complete yet. */
  readonly streams: boolean
  /** Never throws or rejects; returns synchronously if there is nothing to wait for. */
  handle: (incoming: Arrival, signal?: AbortSignal) => Exchange | Promise<Exchange>
  /** Responds to a request that could not be read completely. */
  reject: (incoming: Arrival, problem: Problem) => Exchange
  /** Resolves when no callback is in progress. */
  idle: () => Promise<void>
  /** Responds to delayed requests at once, and delays no others. */
  endDelays: () => void
  close: () => Promise<void>
}

/** Undefined if a hook or the upstream produced the response. */
type Mocking = MockedExchange | undefined
type Routed = Match<ServedApi> | Problem | undefined

export async function createEngine(
  apis: readonly ServedApi[],
  options: EngineOptions,
  surroundings: Surroundings
): Promise<Engine> {
  const router = createRouter(apis, options.basePath)
  const route = createRoute(router)
  limitHeapGrowth(apis, options)
  const handlerOf = createOperationHandlers(options)
  const takeOver = createTakeOver(surroundings.state)
  const callbacks = createCallbacks(options, surroundings)
  const { hold } = surroundings
  const pauses = createPauses(hold)
  const transformer = await openTransformer(surroundings, options, pauses)
  const changeMocked = transformer && createChangeMocked(transformer)
  const upstream = await openRelay(options, router, handlerOf, transformer, hold)
  const relay = upstream?.relay

  function respond(exchange: Exchange, signal: AbortSignal | undefined): void | Promise<void> {
    const { incoming } = exchange
    if (options.cors && isPreflight(incoming)) {
      exchange.outgoing = handlePreflight(incoming)
      return
    }
    return after(
      relay === undefined ? mock(exchange) : relay(exchange, signal ?? NEVER),
      (mocked) => {
        report(exchange)
        if (mocked !== undefined) callbacks.send(exchange, mocked)
      }
    )
  }

  function mock(exchange: Exchange): Mocking | Promise<Mocking> {
    if (!transformer?.changesRequests) return checkAndMock(exchange, undefined)
    return reroute(transformer, exchange).then((routed) =>
      exchange.isSent ? undefined : checkAndMock(exchange, routed)
    )
  }

  function checkAndMock(exchange: Exchange, routed: Routed): Mocking | Promise<Mocking> {
    const { incoming } = exchange
    const query = parseQuery(incoming.query)
    const preferences = readPreferences(incoming.headers, query)
    applyPreferences(exchange, preferences, options.seed, hold)
    const match = routed ?? router.route(incoming.method, incoming.path, preferences.server)
    if (match instanceof Problem) throw match
    const handler = handlerOf(match)
    exchange.api = handler.served
    exchange.operation = match.operation
    exchange.pathValues = match.pathValues
    const { validate } = preferences
    const checking = handler.checker.check(incoming, match.pathValues, {
      query,
      validate: options.validateRequest && validate !== 'off' && validate !== 'response',
      security: options.validateSecurity && validate !== 'off' && validate !== 'response'
    })
    return after(checking, (check) =>
      buildResponse(exchange, { match, handler, incoming, check, preferences })
    )
  }

  function buildResponse(exchange: Exchange, checked: Checked): Mocking | Promise<Mocking> {
    const { handler, check, preferences } = checked
    exchange.values = check.values
    const isPlain = handler.pairing === undefined && surroundings.state === undefined
    if (!isPlain) return after(takeOver(exchange, checked), goOn)
    const mocked = mockResponse(exchange, handler, check, preferences)
    return mocked instanceof Promise ? mocked.then(goOn) : change(exchange, checked, mocked)

    function goOn(taken: MockedExchange | undefined): Mocking | Promise<Mocking> {
      const response = taken ?? mockResponse(exchange, handler, check, preferences)
      return after(response, (ready) => change(exchange, checked, ready))
    }
  }

  function change(exchange: Exchange, { preferences }: Checked, mocked: MockedExchange) {
    if (!transformer?.changesResponse(exchange, 'response') || !changeMocked) return mocked
    const { validate } = preferences
    const validates = options.validateResponse && validate !== 'off' && validate !== 'request'
    return changeMocked(exchange, mocked, validates)
  }

  /** Preferences are read before the request rules run, because rules may count by session. */
  function reroute(chosen: Transformer, exchange: Exchange) {
    const { headers, query } = exchange.incoming
    const preferences = readWillingly(headers, parseQuery(query))
    if (preferences !== undefined) applyPreferences(exchange, preferences, options.seed, hold)
    return chosen.request(exchange, { route, hold: held })
  }

  /** Applies the delay and the final rules to every response, including problems. */
  function settle(exchange: Exchange, signal: AbortSignal | undefined): void | Promise<void> {
    const { delay } = exchange
    if (delay !== undefined)
      return pauses.wait(delay, exchange, signal).then(() => conclude(exchange, signal))
    return conclude(exchange, signal)
  }

  function conclude(exchange: Exchange, signal: AbortSignal | undefined): void | Promise<void> {
    if (!transformer?.changesResponse(exchange, 'final') || isCut(exchange) || signal?.aborted)
      return
    const before = exchange.remarks.length
    return after(transformer.transformResponse(exchange, 'final'), () => {
      if (exchange.remarks.length === before) return
      exchange.diagnostics = [...exchange.diagnostics, ...exchange.remarks.slice(before)]
      exchange.outgoing.headers[VIOLATIONS_HEADER] = formatReport(exchange.diagnostics)
    })
  }

  function isCut({ incoming, outgoing }: Exchange): boolean {
    return outgoing.status === ABANDONED.status || (options.cors && isPreflight(incoming))
  }

  function report(exchange: Exchange): void {
    const { outgoing, remarks } = exchange
    if (remarks.length > 0) exchange.diagnostics = [...exchange.diagnostics, ...remarks]
    const { diagnostics } = exchange
    if (diagnostics.length === 0) return
    outgoing.headers[VIOLATIONS_HEADER] = formatReport(diagnostics)
    const errors = diagnostics.filter((each) => each.location[0] === 'response' && isError(each))
    if (options.errors && errors.length > 0) throw violations(errors)
  }

  function fail(exchange: Exchange, error: unknown): void {
    const problem = error instanceof Problem ? error : unforeseen(error, exchange.incoming)
    discard(exchange.outgoing.stream)
    exchange.problem = problem
    exchange.forwarded = false
    exchange.outgoing = renderProblem(problem)
    if (problem.code === 'VIOLATIONS') {
      exchange.outgoing.headers[VIOLATIONS_HEADER] = formatReport(exchange.diagnostics)
    }
  }

  function end(exchange: Exchange, error: unknown, signal: AbortSignal | undefined): void {
    if (error instanceof Cut) exchange.fault = error.fault
    if (signal?.aborted || error instanceof Cut) exchange.outgoing = { ...ABANDONED, headers: {} }
    else fail(exchange, error)
  }

  function unforeseen(error: unknown, incoming: Incoming): Problem {
    surroundings.defect(error, incoming)
    return new Problem('UNKNOWN', 'Internal error; see the log.')
  }

  function finish(exchange: Exchange, milliseconds: number): Exchange {
    const { incoming, outgoing } = exchange
    if (options.cors) outgoing.headers = addCors(incoming, outgoing.headers)
    exchange.milliseconds = milliseconds
    limitHanging(exchange, hold)
    observe(exchange)
    return exchange
  }

  /** An error of the observer is reported and does not affect the response. */
  function observe(exchange: Exchange): void {
    try {
      surroundings.finished?.(exchange)
    } catch (error) {
      surroundings.defect(error, exchange.incoming)
    }
  }

  return {
    options,
    streams: relay !== undefined,
    handle(incoming, signal) {
      const started = performance.now()
      const exchange = openExchange(incoming)
      const fail = (error: unknown) => end(exchange, error, signal)
      const responded = attempt(() => respond(exchange, signal), fail)
      const settled = after(responded, () => attempt(() => settle(exchange, signal), fail))
      return after(settled, () => finish(exchange, performance.now() - started))
    },
    reject(incoming, problem) {
      const exchange = openExchange(incoming)
      fail(exchange, problem)
      return finish(exchange, 0)
    },
    idle: callbacks.idle,
    endDelays: pauses.close,
    async close() {
      pauses.close()
      callbacks.close()
      await upstream?.close()
    }
  }
}

function attempt(
  act: () => void | Promise<void>,
  fail: (error: unknown) => void
): void | Promise<void> {
  try {
    const acting = act()
    return acting instanceof Promise ? acting.catch(fail) : acting
  } catch (error) {
    fail(error)
  }
}

/** Recorded if the client disconnected or a fault ended the exchange; it is never sent. */
const ABANDONED: OutgoingResponse = { status: 499, headers: {}, body: undefined }

/** The listener has already read the body. */
const held = async () => {}

const NEVER = new AbortController().signal
