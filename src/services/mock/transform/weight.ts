import type { Json } from '../document/json.ts'

const MAX_DEPTH = 1000

/** Remaining size; parts that are shared in memory count each time, as in JSON. */
export interface SizeBudget {
  left: number
}

/** Subtracts the size of a value; false if the budget or `maxWeight` is exceeded. */
export function consume(
  allowance: SizeBudget,
  value: Json | undefined,
  maxWeight = Number.POSITIVE_INFINITY
): boolean {
  const before = allowance.left
  if (value !== undefined) allowance.left = weigh(value, before, 0)
  return allowance.left >= 0 && before - allowance.left <= maxWeight
}

/** Whether a value is small enough to be serialised. */
export function isWithinLimit(value: Json | undefined, maxWeight: number): boolean {
  return value === undefined || weigh(value, maxWeight, 0) >= 0
}

/** The remaining budget; negative if it is exceeded. */
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
