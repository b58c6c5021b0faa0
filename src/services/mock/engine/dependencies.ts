import type { Outbound } from '../../../kernel/outbound.ts'
import type { CallbackEvent } from '../callbacks/callback-event.ts'
import type { HookRunner } from '../hooks/hook-runner.ts'
import type { Incoming } from '../message.ts'
import type { RespondFromState } from '../state/state.ts'
import type { RuleBook } from '../transform/rule-book.ts'
import type { ReadState } from '../transform/rule-expression-context.ts'
import type { Exchange } from './exchange.ts'
import type { Hold } from './hold.ts'

/** Dependencies of an engine. */
export interface Surroundings {
  outbound: Outbound
  /** Counts requests that are delayed. */
  hold?: Hold | undefined
  /** Called with unexpected errors; the client received `UNKNOWN`. */
  defect: (error: unknown, incoming: Incoming) => void
  /** Called with every exchange before its response is sent. */
  finished?: (exchange: Exchange) => void
  /** Responds for collections whose records are stored. */
  state?: RespondFromState | undefined
  calledBack?: (event: CallbackEvent) => void
  /** Rules that change messages; undefined if there are none. */
  rules?: RuleBook | undefined
  readState?: ReadState | undefined
  hooks?: HookRunner | undefined
}
