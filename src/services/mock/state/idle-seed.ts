import { UserError } from '../../../kernel/errors.ts'
import type { MockOptions } from '../settings.ts'

/** A seed file without `--state` is a configuration error. */
export function requireStateForSeed({
  state,
  seedData
}: Pick<MockOptions, 'state' | 'seedData'>): void {
  if (state || seedData === undefined) return
  throw new UserError('--seed-data requires --state')
}
