import type { Json } from '../document/json.ts'

const MAX_DEPTH = 1000

/** How much may still be made; what is shared in memory is not shared in a text. */
export interface SizeBudget {
  left: number
}

/** Whether a value was small enough for what is left, and not heavier than `maxWeight`. */
export function consume(
  allowance: SizeBudget,
  value: Json | undefined,
  maxWeight = Number.POSITIVE_INFINITY
): boolean {
  const before = allowance.left
  if (value !== undefined) allowance.left = weigh(value, before, 0)
  return allowance.left >= 0 && before - allowance.left <= maxWeight
}

/** Whether a value is small enough to be written out. */
export function isWithinLimit(value: Json | undefined, maxWeight: number): boolean {
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
