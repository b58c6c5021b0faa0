import type { Preferences } from '../request/preferences.ts'
import type { Exchange } from './exchange.ts'

/** What a request prefers for itself; the seed of all others holds where it names none. */
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
