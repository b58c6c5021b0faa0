import type { Transformer } from '../transform/transformer.ts'
import type { Surroundings } from './dependencies.ts'
import type { EngineOptions } from './options.ts'
import type { Pauses } from './pauses.ts'

/** Without rules and hooks, the transform modules are not loaded. */
export async function openTransformer(
  { rules, readState, hooks }: Surroundings,
  { maxBodyBytes }: EngineOptions,
  pauses: Pauses
): Promise<Transformer | undefined> {
  if (rules === undefined && hooks === undefined) return undefined
  const { createRuleBook } = await import('../transform/rule-book.ts')
  const { createTransformer } = await import('../transform/transformer.ts')
  return createTransformer({
    book: rules ?? createRuleBook([]),
    hooks,
    pauses,
    readState,
    maxBodyBytes
  })
}
