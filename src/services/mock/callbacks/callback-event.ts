import type { Diagnostic } from '../message.ts'
import type { Callback, Operation } from '../model/api.ts'

/** One callback, sent or not. */
export interface CallbackEvent {
  /** The operation that was called. */
  operation: Operation
  callback: Callback
  method: string
  url: string
  status: number | undefined
  /** Why it was not sent or not answered. */
  failure: string | undefined
  /** Of the reply. */
  diagnostics: readonly Diagnostic[]
  milliseconds: number
}
