import type { FilterBudget } from '../query/filter.ts'

/** State of one HTTP request during execution; the operations of a batch share it. */
export interface ExecutionContext extends FilterBudget {
  now: Date
  /** Estimated number of fields of all operations so far. */
  cost: number
  /** The response is valid at this moment only and must not be cached. */
  momentary: boolean
}

export function createExecutionContext(now: Date): ExecutionContext {
  return { now, cost: 0, momentary: false, conditions: 0, regexes: 0 }
}
