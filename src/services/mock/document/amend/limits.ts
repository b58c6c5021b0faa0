import { UserError } from '../../../../kernel/errors.ts'
import type { Json } from '../json.ts'
import { MAX_DEPTH } from '../parse.ts'

/** Maximum that amendments add to one document, in values; a long string counts as several. */
const MAX_WEIGHT = 2_000_000
const TEXT_PER_VALUE = 100
/** CPU time, so that a busy machine does not make an overlay exceed it. */
const MAX_SECONDS = 5
const STEPS_BETWEEN_LOOKS = 1000

/** Limits of amending one document; exceeding one throws a `UserError`. */
export interface PatchLimits {
  /** Called regularly by every operation that may take long. */
  step: (count?: number) => void
  /** Counts one step for each value inside. */
  walk: (value: Json) => void
  /** Called before a value is inserted at this depth; the result is the argument of `put`. */
  weigh: (value: Json, depth: number) => number
  put: (weight: number) => void
}

export function createLimits(): PatchLimits {
  const started = process.cpuUsage()
  let remaining = MAX_WEIGHT
  let steps = 0

  function step(count = 1): void {
    steps += count
    if (steps < STEPS_BETWEEN_LOOKS) return
    steps = 0
    if (process.cpuUsage(started).user > MAX_SECONDS * 1e6) {
      throw new UserError(`takes more than ${MAX_SECONDS} s of computing`)
    }
  }

  function weigh(value: Json, depth: number): number {
    step()
    if (depth > MAX_DEPTH) throw new UserError(`nests deeper than ${MAX_DEPTH} levels`)
    if (typeof value === 'string') return 1 + Math.floor(value.length / TEXT_PER_VALUE)
    if (typeof value !== 'object' || value === null) return 1
    let weight = 1
    for (const member of Object.values(value)) {
      weight += weigh(member, depth + 1)
      if (weight > remaining) throw tooMuch()
    }
    return weight
  }

  function walk(value: Json): void {
    step()
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
  }

  return {
    step,
    walk,
    weigh,
    put(weight) {
      step()
      remaining -= weight
      if (remaining < 0) throw tooMuch()
    }
  }
}

function tooMuch(): UserError {
  return new UserError(`makes the document grow by more than ${MAX_WEIGHT} values`)
}
