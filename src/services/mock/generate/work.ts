import type { JsonSchema } from '../schema/json-schema.ts'
import type { Schemas, View } from '../schema/schemas.ts'
import type { Chance } from './chance.ts'
import type { RandomOptions } from './random-options.ts'
import type { Value } from './value.ts'

/** Aborts a run: thrown at any depth, caught where the run started. */
export class GenerationAborted extends Error {}

/** Counted in steps and not in time, so that results do not depend on the speed of the machine. */
export const MAX_STEPS = 200_000
export const MAX_ITEMS = 10_000
export const MAX_TEXT_LENGTH = 200_000
export const MAX_DEPTH = 100

/** State of one run of the generator. */
export interface GenerationContext {
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
  spend: (steps: number) => void
  /** Records why something was not tried; reported if no value is found. */
  note: (reason: string) => void
  solve: (schemas: readonly JsonSchema[], site: GenerationSite) => Value
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
