import { after } from '../after.ts'
import type { Json } from '../document/json.ts'
import type { Diagnostic } from '../message.ts'
import { checkHeaders } from '../response/check-headers.ts'
import { checkResponse } from '../response/check-response.ts'
import type { Mocked } from '../response/mocker.ts'
import { onSide } from '../response/report.ts'
import { headerText } from '../transform/message-draft.ts'
import type { Transformer } from '../transform/transformer.ts'
import type { Exchange } from './exchange.ts'
import { type Change, createKnownChanges } from './known-changes.ts'
import type { MockedExchange } from './mock-response.ts'

/** Applies the response rules to a mocked response and validates the result. */
export type ChangeMocked = (
  exchange: Exchange,
  before: MockedExchange,
  validates: boolean
) => MockedExchange | Promise<MockedExchange>

/** Reuses an earlier result for the same mocked response and key. */
export function createChangeMocked(transformer: Transformer): ChangeMocked {
  const known = createKnownChanges()

  function changeAnew(exchange: Exchange, before: MockedExchange, validates: boolean) {
    exchange.value = { value: before.mocked.value }
    return after(transformer.transformResponse(exchange, 'response'), () => {
      const diagnostics = validates ? judge(exchange, before.mocked) : NONE
      const { outgoing, value, response, remarks } = exchange
      return { outgoing, value, response, remarks, diagnostics }
    })
  }

  function use(exchange: Exchange, before: MockedExchange, change: Change): MockedExchange {
    const { outgoing, diagnostics } = change
    // The cached response is shared, so headers are added to a copy.
    exchange.outgoing = { ...outgoing, headers: { ...outgoing.headers } }
    exchange.value = change.value
    exchange.response = change.response
    exchange.remarks = change.remarks
    return conclude(exchange, before, diagnostics)
  }

  return function changeMocked(exchange, before, validates) {
    const { mocked } = before
    const isRepeating = mocked.isPrepared && exchange.remarks.length === 0 && known.isOfUse()
    const asked = isRepeating ? transformer.keyOf(exchange) : undefined
    if (asked === undefined) {
      return after(changeAnew(exchange, before, validates), ({ diagnostics }) =>
        conclude(exchange, before, diagnostics)
      )
    }
    const key = validates ? asked : `unjudged ${asked}`
    const change = known.find(mocked, key)
    if (change !== undefined) return use(exchange, before, change)
    return after(changeAnew(exchange, before, validates), (made) => {
      known.keep(mocked, key, made)
      return conclude(exchange, before, made.diagnostics)
    })
  }
}

function conclude(
  exchange: Exchange,
  before: MockedExchange,
  found: readonly Diagnostic[]
): MockedExchange {
  const { mocked, check } = before
  exchange.diagnostics = onSide('request', check.diagnostics)
  if (found.length > 0) {
    exchange.diagnostics = [...exchange.diagnostics, ...onSide('response', found)]
  }
  // Only callbacks use the changed response.
  if (exchange.operation?.callbacks.length === 0) return before
  const { status, headers } = exchange.outgoing
  const texts = Object.keys(headers).map((name) => [name, headerText(headers, name) ?? ''])
  return {
    mocked: { ...mocked, status, headers: Object.fromEntries(texts), value: exchange.value?.value },
    check
  }
}

function judge(exchange: Exchange, mocked: Mocked): readonly Diagnostic[] {
  const { api, operation, outgoing, value } = exchange
  if (api === undefined || operation === undefined) return NONE
  const { status, headers } = outgoing
  const type = headerText(headers, 'content-type')
  const isSame = value?.value === mocked.value && status === mocked.status
  if (!isSame || type !== mocked.headers['content-type']) {
    return checkResponse(api, operation, { status, headers, type, body: toBody(value?.value) })
  }
  return [
    ...mocked.diagnostics.filter(({ location }) => location[0] !== 'header'),
    ...checkHeaders(api, mocked.response, headers)
  ]
}

function toBody(value: Json | undefined): { value: Json } | undefined {
  return value === undefined ? undefined : { value }
}

const NONE: readonly Diagnostic[] = []
