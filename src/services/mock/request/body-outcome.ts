import type { Problem } from '../contract.ts'
import type { Diagnostic } from '../message.ts'

export interface BodyOutcome {
  /** Nothing when there is no body, or when it could not be read. */
  value: unknown
  /** Of JSON that is none. */
  malformed?: Problem
}

export function reject(message: string): Diagnostic {
  return { location: [], severity: 'Error', code: 415, message }
}
