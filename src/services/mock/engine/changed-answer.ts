import type { Json } from '../document/json.ts'
import { checkHeaders } from '../response/check-headers.ts'
import { checkResponse } from '../response/check-response.ts'
import { onSide } from '../response/report.ts'
import { headerText } from '../transform/draft.ts'
import type { Transformer } from '../transform/transformer.ts'
import type { Exchange } from './exchange.ts'
import type { MockedExchange } from './mock-answer.ts'

/** Lets the rules change an answer of the mock, and holds what came of it against the document. */
export function changeMocked(
  transformer: Transformer,
  exchange: Exchange,
  before: MockedExchange,
  validates: boolean
): MockedExchange | Promise<MockedExchange> {
  exchange.value = { value: before.mocked.value }
  const answered = transformer.answer(exchange, 'response')
  const end = () => useChanged(exchange, before, validates)
  return answered instanceof Promise ? answered.then(end) : end()
}

function useChanged(
  exchange: Exchange,
  before: MockedExchange,
  validates: boolean
): MockedExchange {
  const { mocked, check } = before
  judgeChanged(exchange, before, validates)
  const { status, headers } = exchange.outgoing
  // Only callbacks want to know.
  if (exchange.operation?.callbacks.length === 0) return before
  const texts = Object.keys(headers).map((name) => [name, headerText(headers, name) ?? ''])
  return {
    mocked: { ...mocked, status, headers: Object.fromEntries(texts), value: exchange.value?.value },
    check
  }
}

function judgeChanged(
  exchange: Exchange,
  { mocked, check }: MockedExchange,
  validates: boolean
): void {
  const { api, operation, outgoing, value } = exchange
  exchange.diagnostics = onSide('request', check.diagnostics)
  if (!validates || api === undefined || operation === undefined) return
  const { status, headers } = outgoing
  const type = headerText(headers, 'content-type')
  const isSame = value?.value === mocked.value && status === mocked.status
  const found =
    isSame && type === mocked.headers['content-type']
      ? [
          ...mocked.diagnostics.filter(({ location }) => location[0] !== 'header'),
          ...checkHeaders(api, mocked.response, headers)
        ]
      : checkResponse(api, operation, { status, headers, type, body: toBody(value?.value) })
  if (found.length === 0) return
  exchange.diagnostics = [...exchange.diagnostics, ...onSide('response', found)]
}

function toBody(value: Json | undefined): { value: Json } | undefined {
  return value === undefined ? undefined : { value }
}
