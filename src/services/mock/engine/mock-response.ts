import type { RequestCheck } from '../request/check.ts'
import type { Preferences } from '../request/preferences.ts'
import type { Mocked } from '../response/mocker.ts'
import { onSide } from '../response/report.ts'
import type { Exchange } from './exchange.ts'
import { expectedStatuses, rejectionOf } from './invalid-request.ts'
import type { OperationHandler } from './operation-handler.ts'

/** What callbacks need to know of a mocked exchange. */
export interface MockedExchange {
  mocked: Mocked
  check: RequestCheck
}

/** Answers from the document, or throws the problem that stands for the answer. */
export function mockResponse(
  exchange: Exchange,
  { mocker }: OperationHandler,
  check: RequestCheck,
  preferences: Preferences
): MockedExchange {
  // An empty header says as little as none.
  const accept = exchange.incoming.headers.accept || undefined
  exchange.diagnostics = onSide('request', check.diagnostics)
  const expected = expectedStatuses(check.diagnostics)
  const mocked = expected === undefined ? mocker.respond(preferences, accept) : reject(expected)
  return useMocked(exchange, mocked, check, preferences)

  function reject(statuses: readonly number[]): Mocked {
    if (check.malformed !== undefined && statuses[0] !== 401) throw check.malformed
    const documented = mocker.reject(statuses, preferences, accept)
    if (documented === undefined) throw rejectionOf(check)
    return documented
  }
}

/** Makes an answer that of the exchange. */
export function useMocked(
  exchange: Exchange,
  mocked: Mocked,
  check: RequestCheck,
  preferences: Preferences
): MockedExchange {
  exchange.response = mocked.response
  exchange.example = mocked.example
  if (
    mocked.diagnostics.length > 0 &&
    preferences.validate !== 'off' &&
    preferences.validate !== 'request'
  ) {
    exchange.diagnostics = [...exchange.diagnostics, ...onSide('response', mocked.diagnostics)]
  }
  // The prepared answer belongs to everybody; headers of this one are added to a copy.
  const { status, headers, body } = mocked
  exchange.outgoing = { status, headers: { ...headers }, body }
  return { mocked, check }
}
