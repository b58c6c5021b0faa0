import type { JsonSchema } from '../schema/json-schema.ts'
import type { Schemas, View } from '../schema/schemas.ts'
import type { Chance } from './chance.ts'
import type { RandomOptions } from './random-options.ts'
import type { Value } from './value.ts'

/** Aborts a run: thrown at any depth, caught where the run started. */
export class GenerationAborted extends Error {}

/** Counted in steps and not in time, so that results do not depend on the speed of the machine. */
export const MAX_STEPS = 200_000
/** After this many steps, optional values are left out. */
const OPTIONAL_STEPS = MAX_STEPS / 2
/** Steps between two pauses, about a millisecond. */
const PAUSE_STEPS = 200
export const MAX_ITEMS = 10_000
export const MAX_TEXT_LENGTH = 200_000
export const MAX_DEPTH = 100

/** Yielded where a run may be interrupted. */
export const PAUSE = Symbol('pause')

/** A value that takes many steps: the caller runs them with `yield*`. */
export class Steps {
  readonly run: Generator<typeof PAUSE, Value, void>

  constructor(run: Generator<typeof PAUSE, Value, void>) {
    this.run = run
  }
}

/** Counts the steps of a run. */
export interface StepCounter {
  /** Throws if there are too many steps. */
  spend: (steps: number) => void
  /** Whether a pause is due; it then starts counting again. */
  isPauseDue: () => boolean
  /** Whether optional values are left out. */
  isSpent: () => boolean
}

export function countSteps(most: number): StepCounter {
  let steps = 0
  let paused = 0
  return {
    spend(more) {
      steps += more
      if (steps > most) throw new GenerationAborted(`the search stopped after ${most} steps`)
    },
    isPauseDue() {
      if (steps - paused < PAUSE_STEPS) return false
      paused = steps
      return true
    },
    isSpent: () => steps > OPTIONAL_STEPS
  }
}

/** State of one run of the generator. */
export interface GenerationContext extends StepCounter {
  view: View
  patterns: Schemas['patterns']
  hasFormat: Schemas['hasFormat']
  chance: Chance
  style: 'static' | 'random'
  options: RandomOptions
  /** Whether every generated value is checked, not only those of difficult schemas. */
  careful: boolean
  /** Whether only required values are generated, in case optional ones used up the steps. */
  sparse: boolean
  /** Records why something was not tried; reported if no value is found. */
  note: (reason: string) => void
  solve: (schemas: readonly JsonSchema[], site: GenerationSite) => Value | Steps
  accepts: (schemas: readonly JsonSchema[], value: unknown) => boolean
  /** Returns the value of an `x-faker`, or NOTHING. */
  fake: (wish: unknown) => Value
}

/** Position in the body where a value is generated. */
export interface GenerationSite {
  /** Name of the property; determines a static UUID. */
  name: string
  depth: number
  /** References that are followed from the root to this position. */
  open: Open | undefined
  /** Number of optional values that may still be generated below. */
  allowance: number
  /** Number of valid values to skip, for arrays of unique values. */
  variant: number
  /** Values to try first. */
  hints: readonly unknown[]
}

interface Open {
  ref: string
  above: Open | undefined
}

export function openRefs(site: GenerationSite, refs: readonly string[]): Open | undefined {
  return refs.reduce<Open | undefined>((above, ref) => ({ ref, above }), site.open)
}

export function timesOpen(site: GenerationSite, ref: string): number {
  let times = 0
  for (let open = site.open; open !== undefined; open = open.above) {
    if (open.ref === ref) times += 1
  }
  return times
}
