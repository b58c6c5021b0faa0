import type { Problem } from '../contract.ts'
import type { Diagnostic } from '../message.ts'

export interface BodyOutcome {
  /** Undefined if there is no body, or if it cannot be read. */
  value: unknown
  /** Set if the body is not valid JSON. */
  malformed?: Problem
}

export function reject(message: string): Diagnostic {
  return { location: [], severity: 'Error', code: 415, message }
}
