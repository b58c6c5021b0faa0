/**
 * How much one validation may do. Schemas that refer to themselves can double their work with
 * every level of a record, so each step is counted; nothing else bounds that.
 */
export class BudgetSpent extends Error {
  override name = 'BudgetSpent'
}

const STEPS = 2_000_000

let left = 0

export function grantBudget(): void {
  left = STEPS
}

export function spend(steps: number): true {
  left -= steps
  if (left < 0) throw new BudgetSpent()
  return true
}
