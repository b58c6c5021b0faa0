import type { RequestCheck } from '../request/check.ts'
import { checkResponse } from '../response/check-response.ts'
import { onSide } from '../response/report.ts'
import { headerText } from '../transform/draft.ts'
import type { Transformer } from '../transform/transformer.ts'
import type { Exchange } from './exchange.ts'
import type { MockedExchange } from './mock-answer.ts'

/** Lets the rules change an answer of the mock, and holds what came of it against the document. */
export async function changeMocked(
  transformer: Transformer,
  exchange: Exchange,
  { mocked, check }: MockedExchange,
  validates: boolean
): Promise<MockedExchange> {
  exchange.value = { value: mocked.value }
  await transformer.answer(exchange, 'response')
  judgeChanged(exchange, check, validates)
  const { status, headers } = exchange.outgoing
  // Only callbacks want to know.
  if (exchange.operation?.callbacks.length === 0) return { mocked, check }
  const texts = Object.keys(headers).map((name) => [name, headerText(headers, name) ?? ''])
  return {
    mocked: { ...mocked, status, headers: Object.fromEntries(texts), value: exchange.value?.value },
    check
  }
}

function judgeChanged(exchange: Exchange, check: RequestCheck, validates: boolean): void {
  const { api, operation, outgoing, value } = exchange
  exchange.diagnostics = onSide('request', check.diagnostics)
  if (!validates || api === undefined || operation === undefined) return
  const { status, headers } = outgoing
  const type = headerText(headers, 'content-type')
  const body = value?.value === undefined ? undefined : { value: value.value }
  const found = checkResponse(api, operation, { status, headers, type, body })
  exchange.diagnostics = [...exchange.diagnostics, ...onSide('response', found)]
}
