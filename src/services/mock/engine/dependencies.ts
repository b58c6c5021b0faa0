import type { Outbound } from '../../../kernel/outbound.ts'
import type { CallbackEvent } from '../callbacks/callback-event.ts'
import type { HookRunner } from '../hooks/hook-runner.ts'
import type { Incoming } from '../message.ts'
import type { RespondFromState } from '../state/state.ts'
import type { RuleBook } from '../transform/rule-book.ts'
import type { ReadState } from '../transform/scene.ts'
import type { Exchange } from './exchange.ts'

/** What an engine reports to and calls out through. */
export interface Surroundings {
  outbound: Outbound
  /** What nobody foresaw; the client got UNKNOWN. */
  defect: (error: unknown, incoming: Incoming) => void
  /** Told of every exchange before its bytes leave. */
  finished?: (exchange: Exchange) => void
  /** Answers for collections that keep what is written. */
  state?: RespondFromState | undefined
  calledBack?: (event: CallbackEvent) => void
  /** Rules for messages; without them answers stay the bytes they are. */
  rules?: RuleBook | undefined
  readState?: ReadState | undefined
  hooks?: HookRunner | undefined
}
