import type { FilterBudget } from '../query/filter.ts'

/** What is kept of one request while it is answered; the operations of a batch share it. */
export interface ExecutionContext extends FilterBudget {
  now: Date
  /** Fields of all operations so far, as the cost rule counts them. */
  cost: number
  /** The answer holds for this moment only, so it must not be kept. */
  momentary: boolean
}

export function createExecutionContext(now: Date): ExecutionContext {
  return { now, cost: 0, momentary: false, conditions: 0, regexes: 0 }
}
