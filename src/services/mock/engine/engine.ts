import type { Outbound } from '../../../kernel/outbound.ts'
import { type CallbackEvent, createCallbacks } from '../callbacks/callbacks.ts'
import { Problem } from '../contract.ts'
import type { Incoming } from '../message.ts'
import { discard } from '../proxy/discard.ts'
import { createForwarder } from '../proxy/forward.ts'
import { createRelay } from '../proxy/relay.ts'
import { readPreferences } from '../request/preferences.ts'
import { parseQuery } from '../request/query-string.ts'
import { renderProblem } from '../response/problem-answer.ts'
import { formatReport, isError, VIOLATIONS_HEADER } from '../response/report.ts'
import { createRouter } from '../routing/router.ts'
import type { ServedApi } from '../served-api.ts'
import type { AnswerFromState } from '../state/state.ts'
import { addCors, answerPreflight, isPreflight } from './cors.ts'
import { createDesks } from './desk.ts'
import { type Answer, type Arrival, type Exchange, openExchange } from './exchange.ts'
import { mockAnswer } from './mock-answer.ts'
import type { EngineOptions } from './options.ts'
import { violations } from './refusal.ts'
import { createTakeOver } from './take-over.ts'

/** What an engine reports to and calls out through. */
export interface Surroundings {
  outbound: Outbound
  /** What nobody foresaw; the client got UNKNOWN. */
  defect: (error: unknown, incoming: Incoming) => void
  /** Told of every exchange before its bytes leave. */
  finished?: (exchange: Exchange) => void
  /** Answers for collections that keep what is written. */
  state?: AnswerFromState | undefined
  calledBack?: (event: CallbackEvent) => void
}

export interface Engine {
  readonly options: EngineOptions
  /** Whether it wants requests while they are still coming in. */
  readonly streams: boolean
  /** Never rejects. */
  handle: (incoming: Arrival, signal?: AbortSignal) => Promise<Exchange>
  /** Answers what never became a whole request. */
  refuse: (incoming: Arrival, problem: Problem) => Exchange
  /** Until no callback is under way. */
  idle: () => Promise<void>
  close: () => Promise<void>
}

export function createEngine(
  apis: readonly ServedApi[],
  options: EngineOptions,
  surroundings: Surroundings
): Engine {
  const router = createRouter(apis, options.basePath)
  const deskOf = createDesks(options)
  const takeOver = createTakeOver(surroundings.state)
  const callbacks = createCallbacks(options, surroundings)
  const forwarder = options.upstream && createForwarder(options.upstream)
  const relay = forwarder && createRelay(forwarder, options, router, deskOf)

  async function respond(exchange: Exchange, signal: AbortSignal | undefined): Promise<void> {
    const { incoming } = exchange
    if (options.cors && isPreflight(incoming)) {
      exchange.outgoing = answerPreflight(incoming)
      return
    }
    const mocked =
      relay === undefined ? await mock(exchange) : await relay(exchange, signal ?? NEVER)
    report(exchange)
    if (mocked !== undefined) callbacks.send(exchange, mocked)
  }

  async function mock(exchange: Exchange) {
    const { incoming } = exchange
    const query = parseQuery(incoming.query)
    const preferences = readPreferences(incoming.headers, query)
    const match = router.route(incoming.method, incoming.path, preferences.server)
    exchange.api = match.mount
    exchange.operation = match.operation
    const desk = deskOf(match)
    const { validate } = preferences
    const checking = desk.checker.check(incoming, match.pathValues, {
      query,
      validate: options.validateRequest && validate !== 'off' && validate !== 'response',
      security: options.validateSecurity && validate !== 'off' && validate !== 'response'
    })
    const check = checking instanceof Promise ? await checking : checking
    exchange.sent = check.values
    if (desk.pairing !== undefined || surroundings.state !== undefined) {
      const taken = await takeOver(exchange, { match, desk, incoming, check, preferences })
      if (taken !== undefined) return taken
    }
    return mockAnswer(exchange, desk, check, preferences)
  }

  function report({ diagnostics, outgoing }: Exchange): void {
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

  function unforeseen(error: unknown, incoming: Incoming): Problem {
    surroundings.defect(error, incoming)
    return new Problem('UNKNOWN', 'nonet met something that it did not foresee; see its log.')
  }

  function finish(exchange: Exchange, milliseconds: number): Exchange {
    const { incoming, outgoing } = exchange
    if (options.cors) outgoing.headers = addCors(incoming, outgoing.headers)
    exchange.milliseconds = milliseconds
    observe(exchange)
    return exchange
  }

  /** An observer that fails costs nobody an answer. */
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
    async handle(incoming, signal) {
      const started = performance.now()
      const exchange = openExchange(incoming)
      try {
        await respond(exchange, signal)
      } catch (error) {
        if (signal?.aborted) exchange.outgoing = { ...ABANDONED }
        else fail(exchange, error)
      }
      return finish(exchange, performance.now() - started)
    },
    refuse(incoming, problem) {
      const exchange = openExchange(incoming)
      fail(exchange, problem)
      return finish(exchange, 0)
    },
    idle: callbacks.idle,
    async close() {
      callbacks.close()
      await forwarder?.close()
    }
  }
}

/** The client went away; this is for the log alone. */
const ABANDONED: Answer = { status: 499, headers: {}, body: undefined }

const NEVER = new AbortController().signal
