import type { Preferences } from '../request/preferences.ts'
import type { Exchange } from './exchange.ts'

/**
 * Copies the preferences of a request into its exchange; `seed` is used if the request has none.
 */
export function applyPreferences(
  exchange: Exchange,
  preferences: Preferences | undefined,
  seed: Exchange['seed']
): void {
  exchange.session = preferences?.session
  exchange.seed = preferences?.seed ?? seed
  exchange.delay = preferences?.delay
  exchange.fault = preferences?.fault
}
