import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../contract.ts'
import type { Exchange } from '../engine/exchange.ts'
import { bytesOf } from '../message.ts'
import type { Match } from '../routing/router.ts'
import type { ServedApi } from '../served-api.ts'
import { applyRules } from './apply.ts'
import { bodyOf } from './body-value.ts'
import type { TransformContext } from './context.ts'
import { Cut } from './cut.ts'
import { bodyValue, createDraft, type MessageDraft } from './message-draft.ts'
import { isForStray } from './rule-book.ts'
import { RuleExpressionContext } from './rule-expression-context.ts'
import { writeValue } from './write-value.ts'

/** Finds the operation for the current state of a request, or returns the routing problem. */
export type Route = (exchange: Exchange) => Match<ServedApi> | Problem

export interface RequestPhase {
  route: Route
  /** Reads a body that has not arrived yet, unless it is too large. */
  hold: (exchange: Exchange) => Promise<void>
}

/**
 * Applies the rules in order, each at most once. If a rule rewrites the path, the request is routed
 * again, and the later rules of the new operation follow.
 */
export async function changeRequest(
  context: TransformContext,
  exchange: Exchange,
  { route, hold }: RequestPhase
): Promise<Match<ServedApi> | Problem> {
  let match = findAgain(exchange, { route })
  for (let last = -1; ; ) {
    const { operation } = exchange
    const rules = context.book.of(operation).byPhase.request.filter(({ order }) => order > last)
    if (rules.length === 0) return match
    if (rules.some((rule) => rule.readsRequestBody)) await hold(exchange)
    const { method, path } = exchange.incoming
    const draft = draftOf(exchange)
    const fault = await applyRules(rules, {
      ...context,
      exchange,
      draft,
      expressionContext: new RuleExpressionContext(
        exchange,
        { request: draft, response: undefined },
        context.readState
      ),
      ...(operation === undefined
        ? { isStray: (rule) => isForStray(rule, method, draft.path) }
        : {}),
      followed(rule) {
        last = rule.order
        return draft.path === path
      }
    })
    commit(exchange, draft)
    if (fault !== undefined) throw new Cut(fault)
    if (draft.path === path)
      return hasTargetChanged(exchange) ? findAgain(exchange, { route }) : match
    match = findAgain(exchange, { route })
  }

  /** The query may name a server, which affects routing. */
  function hasTargetChanged({ incoming }: Exchange): boolean {
    return incoming.query.includes('__server')
  }
}

/** Routes the current state of a request and stores the match in the exchange. */
export function findAgain(
  exchange: Exchange,
  { route }: Pick<RequestPhase, 'route'>
): Match<ServedApi> | Problem {
  const match = route(exchange)
  const found = match instanceof Problem ? undefined : match
  exchange.api = found?.mount
  exchange.operation = found?.operation
  exchange.pathValues = found?.pathValues
  return match
}

export function draftOf(exchange: Exchange, path = exchange.incoming.path): MessageDraft {
  const { query, headers } = exchange.incoming
  const head = { path, query, status: 0, headers: { ...headers } }
  return createDraft('request', head, () => bodyOf(exchange))
}

function commit(exchange: Exchange, draft: MessageDraft): void {
  const { incoming } = exchange
  const { path, query } = draft
  const body = bodyFrom(exchange, draft)
  exchange.incoming = { ...incoming, path, query, headers: draft.headers as IncomingHttpHeaders }
  if (body !== undefined) {
    exchange.incoming.body = body
    exchange.incoming.stream = undefined
  }
}

/** The new body, if a rule changed it; sets `content-length`. */
export function bodyFrom(exchange: Exchange, draft: MessageDraft): Buffer | undefined {
  const value = draft.changes > 0 ? bodyValue(draft) : undefined
  if (value === undefined) return undefined
  const body = bytesOf(writeValue(value, draft.headers, exchange.api, undefined))
  draft.headers['content-length'] = String(body.length)
  return body
}
