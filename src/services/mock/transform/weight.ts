import type { Json } from '../document/json.ts'

const MAX_DEPTH = 1000

/** How much may still be made; what is shared in memory is not shared in a text. */
export interface Allowance {
  /** Whether a value was small enough for what is left, and lighter than `maxWeight`. */
  spend: (value: Json | undefined, maxWeight?: number) => boolean
  isSpent: () => boolean
}

export function createAllowance(weight: number): Allowance {
  let left = weight
  return {
    spend(value, maxWeight = weight) {
      const before = left
      if (value !== undefined) left = weigh(value, left, 0)
      return left >= 0 && before - left <= maxWeight
    },
    isSpent: () => left < 0
  }
}

/** Whether a value is small enough to be written out. */
export function isBearable(value: Json | undefined, maxWeight: number): boolean {
  return value === undefined || weigh(value, maxWeight, 0) >= 0
}

/** What is left of the allowance; negative when it does not suffice. */
function weigh(value: Json, allowance: number, depth: number): number {
  if (typeof value === 'string') return allowance - value.length
  if (typeof value !== 'object' || value === null) return allowance - 1
  if (depth > MAX_DEPTH) return -1
  let left = allowance - 1
  if (Array.isArray(value)) {
    for (const item of value) {
      left = weigh(item, left, depth + 1)
      if (left < 0) return left
    }
    return left
  }
  for (const name in value) {
    left = weigh(value[name] as Json, left - name.length, depth + 1)
    if (left < 0) return left
  }
  return left
}
