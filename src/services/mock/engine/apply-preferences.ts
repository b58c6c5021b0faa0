import type { Preferences } from '../request/preferences.ts'
import { isHanging } from '../serve/faults.ts'
import type { Exchange } from './exchange.ts'
import { countAsHeld, type Hold } from './hold.ts'

/**
 * Copies the preferences of a request into its exchange; `seed` is used if the request has none.
 * Throws if the request asks for a delay and too many are delayed; nothing was carried out then.
 */
export function applyPreferences(
  exchange: Exchange,
  preferences: Preferences | undefined,
  seed: Exchange['seed'],
  hold: Hold | undefined
): void {
  exchange.session = preferences?.session
  exchange.seed = preferences?.seed ?? seed
  exchange.delay = preferences?.delay
  exchange.fault = preferences?.fault
  if (exchange.delay !== undefined || isHanging(exchange.fault)) countAsHeld(exchange, hold)
}
