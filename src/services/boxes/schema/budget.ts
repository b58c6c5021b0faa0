/**
 * Thrown if a validation takes too many steps. With schemas that refer to themselves, the work can
 * double with every level of a record, and only the count of steps limits it.
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
