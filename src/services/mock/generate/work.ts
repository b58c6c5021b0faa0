import type { JsonSchema } from '../schema/json-schema.ts'
import type { Schemas, View } from '../schema/schemas.ts'
import type { Chance } from './chance.ts'
import type { RandomOptions } from './random-options.ts'
import type { Value } from './value.ts'

/** Ends a run: thrown from any depth, caught where the run began. */
export class GenerationAborted extends Error {}

/** Counted, not timed, so that a machine's speed never changes an answer. */
export const MAX_STEPS = 200_000
export const MAX_ITEMS = 10_000
export const MAX_TEXT_LENGTH = 200_000
export const MAX_DEPTH = 100

/** One run of the generator. */
export interface GenerationContext {
  view: View
  patterns: Schemas['patterns']
  hasFormat: Schemas['hasFormat']
  chance: Chance
  style: 'static' | 'random'
  options: RandomOptions
  /** Every value is checked where it is made, instead of those with difficult schemas only. */
  careful: boolean
  /** Only what is required is made, in case that something optional used up the steps. */
  sparse: boolean
  spend: (steps: number) => void
  /** Keeps why something was not tried, for the case that nothing else is found. */
  note: (reason: string) => void
  solve: (schemas: readonly JsonSchema[], site: GenerationSite) => Value
  accepts: (schemas: readonly JsonSchema[], value: unknown) => boolean
  /** A value by the schema's own `x-faker`, or nothing. */
  fake: (wish: unknown) => Value
}

/** Where in the body a value is being made. */
export interface GenerationSite {
  /** Name of the property, which decides a static uuid. */
  name: string
  depth: number
  /** References that are being followed from the root to here. */
  open: Open | undefined
  /** How many values may still be made below when they are not asked for. */
  allowance: number
  /** How many earlier answers are to be passed over, for lists of different values. */
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
