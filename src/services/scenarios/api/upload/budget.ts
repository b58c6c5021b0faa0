import { TooManyHeld } from '../../contract.ts'

/** Memory that files take while they arrive; it goes back when the request is over. */
export interface Budget {
  take: (bytes: number) => boolean
  error: () => Error
  giveBack: () => void
}

export function createBudgets(most: number): () => Budget {
  let used = 0
  return function openBudget() {
    let own = 0
    return {
      take(bytes) {
        if (used + bytes > most) return false
        used += bytes
        own += bytes
        return true
      },
      error: () => new TooManyHeld(),
      giveBack() {
        used -= own
        own = 0
      }
    }
  }
}
