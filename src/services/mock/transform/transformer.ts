import type { Problem } from '../contract.ts'
import type { Exchange } from '../engine/exchange.ts'
import { hookRequest, hookResponse } from '../hooks/call-hooks.ts'
import type { Incoming } from '../message.ts'
import type { Match } from '../routing/router.ts'
import type { ServedApi } from '../served-api.ts'
import { applyRules } from './apply.ts'
import type { TransformContext } from './context.ts'
import { Cut } from './cut.ts'
import { bodyFrom, changeRequest, draftOf, findAgain, type RequestPhase } from './request-phase.ts'
import { transformResponse } from './response-phase.ts'
import type { RuleBook } from './rule-book.ts'
import { RuleExpressionContext } from './rule-expression-context.ts'

/** A request as it is sent to the upstream. */
export interface SentOn {
  incoming: Incoming
  path: string
  /** Undefined if the client's body is unchanged. */
  body: Buffer | undefined
}

/** Applies rules and hooks, phase by phase. */
export interface Transformer {
  book: RuleBook
  /** Whether the hooks module exports `onResponse`. */
  hooksSeeResponses: boolean
  /** Whether rules or hooks apply before the request is validated. */
  changesRequests: boolean
  /** Whether any response rule or hook exists; lets the engine skip the phase. */
  changesResponse: (exchange: Exchange, phase: 'response' | 'final') => boolean
  request: (exchange: Exchange, phase: RequestPhase) => Promise<Match<ServedApi> | Problem>
  upstream: (exchange: Exchange, path: string) => Promise<SentOn>
  /** Equal for exchanges with the same result of the rules; undefined if that is unknown. */
  keyOf: (exchange: Exchange) => string | undefined
  /** Returns whether rules or hooks were applied, so that the response may have changed. */
  transformResponse: (exchange: Exchange, phase: 'response' | 'final') => boolean | Promise<boolean>
}

const NO_DRAFTS = { request: undefined, response: undefined }

export function createTransformer(context: TransformContext): Transformer {
  const { hooks } = context
  const hooksSeeResponses = hooks?.has('onResponse') === true

  async function changeAndHook(exchange: Exchange): Promise<boolean> {
    const isChanged = await transformResponse(context, exchange, 'response')
    if (hooks === undefined) return isChanged
    await hookResponse(hooks, exchange)
    return true
  }

  return {
    book: context.book,
    hooksSeeResponses,
    changesRequests:
      hooks?.has('onRequest') === true ||
      context.book.rules.some(({ phase }) => phase === 'request'),
    changesResponse: ({ operation }, phase) =>
      (hooksSeeResponses && phase === 'response') ||
      context.book.of(operation).byPhase[phase].length > 0,
    async request(exchange, phase) {
      const match = await changeRequest(context, exchange, phase)
      if (hooks?.has('onRequest') !== true) return match
      await phase.hold(exchange)
      exchange.isSent = await hookRequest(hooks, exchange)
      return exchange.isSent ? match : findAgain(exchange, phase)
    },
    transformResponse: (exchange, phase) =>
      hooksSeeResponses && phase === 'response'
        ? changeAndHook(exchange)
        : transformResponse(context, exchange, phase),
    keyOf(exchange) {
      const { cacheKey: responseKey } = context.book.of(exchange.operation)
      if (responseKey === undefined || hooksSeeResponses) return undefined
      return responseKey(new RuleExpressionContext(exchange, NO_DRAFTS, context.readState))
    },
    async upstream(exchange, path) {
      const { incoming } = exchange
      const rules = context.book.of(exchange.operation).byPhase.upstream
      const draft = draftOf(exchange, path)
      const expressionContext = new RuleExpressionContext(
        exchange,
        { request: draft, response: undefined },
        context.readState
      )
      const fault = await applyRules(rules, { ...context, exchange, draft, expressionContext })
      if (fault !== undefined) throw new Cut(fault)
      const body = bodyFrom(exchange, draft)
      const headers = draft.headers as Incoming['headers']
      return { incoming: { ...incoming, query: draft.query, headers }, path: draft.path, body }
    }
  }
}
