import { isObject } from '../../../kernel/json.ts'
import { after } from '../after.ts'
import { accepts } from '../schema/accepts.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { Schemas, Side } from '../schema/schemas.ts'
import { createChance } from './chance.ts'
import { type FakeOptions, fake } from './faker.ts'
import type { RandomOptions } from './random-options.ts'
import { solve } from './solve.ts'
import { type Interruptible, runAtOnce, runInTurns } from './turns.ts'
import { NOTHING } from './value.ts'
import {
  countSteps,
  GenerationAborted,
  type GenerationContext,
  type GenerationSite,
  MAX_STEPS,
  PAUSE,
  Steps
} from './work.ts'

export type Generated = { ok: true; value: unknown } | { ok: false; reason: string }

/** Options of the document and of the request. */
export type DrawingOptions = RandomOptions & Pick<FakeOptions, 'datesFromNow'>

export interface Generator {
  /** Generates the same value every time. */
  sample: (pointer: string, side: Side) => Generated
  /** Generates the same value for the same seed, on every machine, unless dates count from now. */
  random: (pointer: string, side: Side, seed: string, options?: DrawingOptions) => Generated
  /** Like `sample`; returns a promise if the value takes long, and lets others work meanwhile. */
  sampleInTurns: (pointer: string, side: Side) => Generated | Promise<Generated>
  randomInTurns: (
    pointer: string,
    side: Side,
    seed: string,
    options?: DrawingOptions
  ) => Generated | Promise<Generated>
  /** Generates a parameter value for an example URL: 1 where a static body would contain 0. */
  sampleValue: (pointer: string, side?: Side) => Generated
  /** Checked without compiling the schema; false if that check cannot decide. */
  isSurelyValid: (pointer: string, side: Side, value: unknown) => boolean
}

interface Order {
  pointer: string
  side: Side
  style: GenerationContext['style']
  seed: string
  options: DrawingOptions
}

const STATIC_SEED = 'nonet'
/** Budget of optional values in a body. */
const ALLOWANCE = 2500
const FURTHER_SEEDS = 4
/** The reason if no limit ended the search: the parts of the schema contradict each other. */
export const NO_INSTANCE = 'no value was found that matches this schema'

/** Generates bodies for the schemas of one document; only valid values are returned. */
export function createGenerator(schemas: Schemas): Generator {
  function* generate(order: Order): Interruptible<Generated> {
    const schema = schemas.view(order.side).at(order.pointer)
    if (schema === undefined) return { ok: false, reason: 'there is no schema' }
    yield PAUSE
    const found = schemas.find(order.pointer, order.side)
    yield PAUSE
    if (!found.ok) return { ok: false, reason: found.problem.message }
    const isValid = (value: unknown) => found.compiled.validate(value).length === 0
    const isPlain = (value: unknown) => schemas.isPlainlyValid(order.pointer, order.side, value)
    let second: Generated | undefined
    let reason = NO_INSTANCE
    const note = (why: string) => {
      reason = `${NO_INSTANCE}: ${why}`
    }
    for (let attempt = 0; attempt < 2 + FURTHER_SEEDS; attempt += 1) {
      if (attempt > 0) yield PAUSE
      const made = yield* run(schemas, schema, order, attempt, note)
      yield PAUSE
      if (made instanceof GenerationAborted) {
        note(made.message)
        if (attempt > 1) break
      } else if (made !== NOTHING && isValid(made)) {
        // Preferred: also valid for clients that do not support `discriminator`.
        if (isPlain(made)) return { ok: true, value: made }
        second ??= { ok: true, value: made }
      }
    }
    return second ?? { ok: false, reason }
  }

  function sampleOf(pointer: string, side: Side): Order {
    return { pointer, side, style: 'static', seed: STATIC_SEED, options: {} }
  }

  return {
    sample: (pointer, side) => runAtOnce(generate(sampleOf(pointer, side))),
    random(pointer, side, seed, options = {}) {
      return sorted(runAtOnce(generate({ pointer, side, style: 'random', seed, options })))
    },
    sampleInTurns: (pointer, side) => runInTurns(generate(sampleOf(pointer, side))),
    randomInTurns(pointer, side, seed, options = {}) {
      const made = runInTurns(generate({ pointer, side, style: 'random', seed, options }))
      return after(made, sorted)
    },
    sampleValue(pointer, side = 'request') {
      const made = sampleQuickly(pointer, side)
      if (!made.ok || made.value !== 0) return made
      return isSurelyValid(pointer, side, 1) ? { ok: true, value: 1 } : made
    },
    isSurelyValid
  }

  function sampleQuickly(pointer: string, side: Side): Generated {
    const order = sampleOf(pointer, side)
    const schema = schemas.view(side).at(pointer)
    const made =
      schema === undefined ? NOTHING : runAtOnce(run(schemas, schema, order, 0, () => {}))
    const isFine =
      made !== NOTHING && !(made instanceof GenerationAborted) && isSurelyValid(pointer, side, made)
    return isFine ? { ok: true, value: made } : runAtOnce(generate(order))
  }

  function isSurelyValid(pointer: string, side: Side, value: unknown): boolean {
    const view = schemas.view(side)
    const schema = view.at(pointer)
    if (schema === undefined || !schemas.isPlain(side)) return false
    const { patterns, hasFormat } = schemas
    try {
      return accepts(schema, value, {
        view,
        patterns,
        hasFormat,
        spend: countSteps(MAX_STEPS).spend
      })
    } catch (error) {
      if (error instanceof GenerationAborted || error instanceof RangeError) return false
      throw error
    }
  }
}

/**
 * The first attempt is quick, the second checks every part, the third generates only required
 * values, and the others use other seeds.
 */
function* run(
  schemas: Schemas,
  schema: JsonSchema,
  order: Order,
  attempt: number,
  note: GenerationContext['note']
): Interruptible<unknown> {
  const view = schemas.view(order.side)
  const { patterns, hasFormat } = schemas
  const seed = attempt < 2 ? order.seed : `${order.seed} ${attempt}`
  const chance = createChance(`${order.style} ${seed}`)
  const work: GenerationContext = {
    view,
    patterns,
    hasFormat,
    chance,
    style: attempt < 2 ? order.style : 'random',
    options: order.options,
    careful: attempt > 0,
    sparse: attempt === 2,
    ...countSteps(MAX_STEPS),
    note,
    solve: (all, site) => solve(all, site, work),
    accepts: (all, value) => all.every((one) => accepts(one, value, work)),
    fake: (wish) => fake(wish, chance.whole(0, 2 ** 31 - 1), order.options)
  }
  const root: GenerationSite = {
    name: '',
    depth: 0,
    open: undefined,
    allowance: ALLOWANCE,
    variant: 0,
    hints: []
  }
  try {
    const made = work.solve([schema], root)
    return made instanceof Steps ? yield* made.run : made
  } catch (error) {
    if (error instanceof GenerationAborted) return error
    if (error instanceof RangeError) return new GenerationAborted('the schema is nested too deeply')
    throw error
  }
}

function sorted(made: Generated): Generated {
  return made.ok ? { ok: true, value: sortNames(made.value) } : made
}

/** Sorts the members of objects by name, as Prism does; objects inside arrays are unchanged. */
function sortNames(value: unknown): unknown {
  if (!isObject(value)) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, sortNames(value[name])]))
}
