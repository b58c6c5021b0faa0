import { after } from '../after.ts'
import { Problem } from '../contract.ts'
import type { Incoming } from '../message.ts'
import type { RequestCheck } from '../request/check.ts'
import type { Preferences } from '../request/preferences.ts'
import type { Mocked } from '../response/mocker.ts'
import type { Paired } from '../response/pairing.ts'
import { onSide } from '../response/report.ts'
import type { Match } from '../routing/router.ts'
import type { ServedApi } from '../served-api.ts'
import type { RespondFromState } from '../state/state.ts'
import type { Exchange } from './exchange.ts'
import { expectedStatuses } from './invalid-request.ts'
import { type MockedExchange, useMocked } from './mock-response.ts'
import type { OperationHandler } from './operation-handler.ts'

/** A request that has been parsed and validated. */
export interface Checked {
  match: Match<ServedApi>
  handler: OperationHandler
  incoming: Incoming
  check: RequestCheck
  preferences: Preferences
}

/** Responds from a pair of examples or from the state; undefined if neither applies. */
export type TakeOver = (
  exchange: Exchange,
  checked: Checked
) => MockedExchange | undefined | Promise<MockedExchange | undefined>

/** Preferences of the client take precedence over both; a paired error response over the state. */
export function createTakeOver(state: RespondFromState | undefined): TakeOver {
  return function takeOver(exchange, checked) {
    const { handler, check, preferences } = checked
    const { code, example } = preferences
    if (code !== undefined || example !== undefined) return undefined
    exchange.diagnostics = onSide('request', check.diagnostics)
    const faults = expectedStatuses(check.diagnostics)
    const isOpen = faults?.[0] !== 401 && preferences.dynamic !== true
    const paired = isOpen ? handler.pairing?.(check.values) : undefined
    const showing = paired === undefined ? undefined : showPaired(checked, paired)
    return after(showing, (shown) => takeOverAfter(exchange, checked, shown))
  }

  function takeOverAfter(exchange: Exchange, checked: Checked, shown: Mocked | undefined) {
    const { check, preferences } = checked
    const faults = expectedStatuses(check.diagnostics)
    const isFinal = state === undefined || (shown !== undefined && shown.status >= 400)
    if (isFinal || faults !== undefined || check.malformed !== undefined) return finish(shown)
    const response = state(checked)
    return response === undefined ? finish(shown) : response.then((kept) => finish(kept ?? shown))

    function finish(mocked: Mocked | undefined): MockedExchange | undefined {
      return mocked && useMocked(exchange, mocked, check, preferences)
    }
  }
}

/** Undefined if no media type that the client accepts has the example. */
function showPaired(
  { handler, incoming, preferences }: Checked,
  paired: Paired
): Mocked | undefined | Promise<Mocked | undefined> {
  try {
    const wish = { ...preferences, code: paired.code, example: paired.example }
    const mocked = handler.mocker.respond(wish, incoming.headers.accept || undefined)
    const isPaired = (ready: Mocked) => (ready.example === paired.example ? ready : undefined)
    return mocked instanceof Promise ? mocked.then(isPaired).catch(noneIn) : isPaired(mocked)
  } catch (error) {
    return noneIn(error)
  }
}

function noneIn(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error
}
