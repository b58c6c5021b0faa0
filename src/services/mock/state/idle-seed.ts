import { UserError } from '../../../kernel/errors.ts'
import type { MockOptions } from '../settings.ts'

/** A seed that nothing would grow from is a mistake of whoever named it. */
export function requireStateForSeed({
  state,
  seedData
}: Pick<MockOptions, 'state' | 'seedData'>): void {
  if (state || seedData === undefined) return
  throw new UserError('--seed-data requires --state')
}
