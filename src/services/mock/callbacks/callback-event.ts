import type { Diagnostic } from '../message.ts'
import type { Callback, Operation } from '../model/api.ts'

/** One callback, whether it was sent or not. */
export interface CallbackEvent {
  /** The operation that was called. */
  operation: Operation
  callback: Callback
  method: string
  url: string
  status: number | undefined
  /** Reason why the callback was not sent or got no response. */
  failure: string | undefined
  /** Whether a rule of nonet prevented the callback, because of the request that caused it. */
  refused: boolean
  /** Diagnostics of the reply. */
  diagnostics: readonly Diagnostic[]
  milliseconds: number
}
