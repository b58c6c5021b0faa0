import { TooManyHeld } from '../../contract.ts'

/** Memory for files during an upload; released at the end of the request. */
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
