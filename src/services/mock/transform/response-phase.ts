import { after } from '../after.ts'
import type { Exchange } from '../engine/exchange.ts'
import { discard } from '../proxy/discard.ts'
import { findResponse } from '../response/choose-response.ts'
import { isBodiless } from '../response/mocker.ts'
import type { FaultName } from '../serve/faults.ts'
import { applyRules } from './apply.ts'
import { readValue } from './body-value.ts'
import type { TransformContext } from './context.ts'
import { bodyValue, createDraft, headerText, type MessageDraft } from './message-draft.ts'
import { isForStray } from './rule-book.ts'
import { RuleExpressionContext } from './rule-expression-context.ts'
import { forgetBytes, writeValue } from './write-value.ts'

/** Applies the rules of a phase to the response in place; false if there are none. */
export function transformResponse(
  context: TransformContext,
  exchange: Exchange,
  phase: 'response' | 'final'
): boolean | Promise<boolean> {
  const { operation, outgoing, incoming } = exchange
  const rules = context.book.of(operation).byPhase[phase]
  if (rules.length === 0) return false
  const { status, headers } = outgoing
  const draft = createDraft('response', { path: '', query: '', status, headers }, () =>
    exchange.value === undefined
      ? readValue(outgoing.body, headerText(headers, 'content-type'))
      : exchange.value.value
  )
  const applied = applyRules(rules, {
    pauses: context.pauses,
    maxBodyBytes: context.maxBodyBytes,
    exchange,
    draft,
    expressionContext: new RuleExpressionContext(
      exchange,
      { request: undefined, response: draft },
      context.readState
    ),
    isStray:
      operation === undefined
        ? (rule) => isForStray(rule, incoming.method, incoming.path)
        : undefined
  })
  return after(applied, end)

  function end(fault: FaultName | undefined): true {
    finish(exchange, draft)
    exchange.fault ??= fault
    return true
  }
}

/** Applies the draft to the exchange; an unchanged body keeps its bytes. */
function finish(exchange: Exchange, draft: MessageDraft): void {
  const { outgoing } = exchange
  if (draft.status !== outgoing.status) {
    outgoing.status = draft.status
    exchange.response = findResponse(exchange.operation?.responses ?? [], draft.status)
  }
  if (draft.changes > 0) {
    const value = bodyValue(draft)
    exchange.value = { value }
    discard(outgoing.stream)
    outgoing.stream = undefined
    outgoing.body =
      value === undefined
        ? undefined
        : writeValue(value, draft.headers, exchange.api, exchange.response)
  }
  if (!isBodiless(draft.status)) return
  outgoing.body = undefined
  discard(outgoing.stream)
  outgoing.stream = undefined
  exchange.value = undefined
  delete draft.headers['content-type']
  forgetBytes(draft.headers)
}
