import type { RequestCheck } from '../request/check.ts'
import type { Preferences } from '../request/preferences.ts'
import type { Mocked } from '../response/mocker.ts'
import { onSide } from '../response/report.ts'
import type { Exchange } from './exchange.ts'
import { expectedStatuses, rejectionOf } from './invalid-request.ts'
import type { OperationHandler } from './operation-handler.ts'

/** Data of a mocked exchange that callbacks need. */
export interface MockedExchange {
  mocked: Mocked
  check: RequestCheck
}

/**
 * Responds from the document, or throws the `Problem` to send instead. A promise if the body takes
 * long to generate.
 */
export function mockResponse(
  exchange: Exchange,
  { mocker }: OperationHandler,
  check: RequestCheck,
  preferences: Preferences
): MockedExchange | Promise<MockedExchange> {
  // An empty header is treated like a missing one.
  const accept = exchange.incoming.headers.accept || undefined
  exchange.diagnostics = onSide('request', check.diagnostics)
  const expected = expectedStatuses(check.diagnostics)
  const mocked = expected === undefined ? mocker.respond(preferences, accept) : reject(expected)
  return mocked instanceof Promise
    ? mocked.then((ready) => useMocked(exchange, ready, check, preferences))
    : useMocked(exchange, mocked, check, preferences)

  function reject(statuses: readonly number[]): Mocked | Promise<Mocked> {
    if (check.malformed !== undefined && statuses[0] !== 401) throw check.malformed
    const documented = mocker.reject(statuses, preferences, accept)
    if (documented === undefined) throw rejectionOf(check)
    return documented
  }
}

/** Makes a mocked response the response of the exchange. */
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
  // The prepared response is shared by all requests, so headers are added to a copy.
  const { status, headers, body } = mocked
  exchange.outgoing = { status, headers: { ...headers }, body }
  return { mocked, check }
}
