import type { Pauses } from '../engine/pauses.ts'
import type { HookRunner } from '../hooks/hook-runner.ts'
import type { RuleBook } from './rule-book.ts'
import type { ReadState } from './rule-expression-context.ts'

/** Dependencies of rules besides the exchange. */
export interface TransformContext {
  book: RuleBook
  pauses: Pauses
  maxBodyBytes: number
  readState: ReadState | undefined
  hooks: HookRunner | undefined
}
