import { propertySchemas } from '../schema/accepts.ts'
import { type JsonSchema, own } from '../schema/json-schema.ts'
import { writeFromPattern } from './from-pattern.ts'
import { addParts, isBelow, type Part, type Parts } from './parts.ts'
import { NOTHING, type Value } from './value.ts'
import {
  type GenerationContext,
  type GenerationSite,
  openRefs,
  PAUSE,
  Steps,
  timesOpen
} from './work.ts'

type Members = Map<string, unknown>

interface Plan {
  parts: readonly Part[]
  refs: readonly string[]
  site: GenerationSite
  work: GenerationContext
  most: number
  least: number
  required: ReadonlySet<string>
  /** Names whose dependentSchemas are already among the parts. */
  triggered: ReadonlySet<string>
  /** Whether the presence of one property can require others. */
  hasDependents: boolean
}

/** Whether an attempt includes the optional property. */
type Keep = (name: string) => boolean

const RANDOM_ATTEMPTS = 6
const MAX_FILL = 10_000
/** Number of members from which an object counts as wide. */
const WIDE = 500

/** Yields objects with all described properties, with required ones only, then random ones. */
export function* objectCandidates(
  parts: Parts,
  site: GenerationSite,
  work: GenerationContext
): Iterable<unknown> {
  const plan = makePlan(parts.parts, parts.refs, site, work, new Set())
  const first = yield* makeObject(plan, firstChoice(work))
  if (first === NOTHING) return
  yield first
  const minimal = yield* makeObject(plan, () => false)
  if (minimal !== NOTHING) yield minimal
  for (let count = 0; count < RANDOM_ATTEMPTS; count += 1) {
    const share = (count + 1) / (RANDOM_ATTEMPTS + 1)
    const attempt = yield* makeObject(plan, () => work.chance.next() < share)
    if (attempt !== NOTHING) yield attempt
  }
}

function firstChoice(work: GenerationContext): Keep {
  if (work.sparse) return () => false
  const { optionalsProbability, alwaysFakeOptionals } = work.options
  const all = typeof optionalsProbability !== 'number' || alwaysFakeOptionals === true
  if (work.style === 'static' || all) return () => true
  return () => work.chance.next() < optionalsProbability
}

function makePlan(
  parts: readonly Part[],
  refs: readonly string[],
  site: GenerationSite,
  work: GenerationContext,
  triggered: ReadonlySet<string>
): Plan {
  const limit = (
    values: (number | undefined)[],
    start: number,
    pick: (...all: number[]) => number
  ) => pick(start, ...values.map((value) => value ?? start))
  return {
    parts,
    refs,
    site,
    work,
    triggered,
    least: limit(
      parts.map(({ schema }) => schema.minProperties),
      0,
      Math.max
    ),
    most: limit(
      parts.map(({ schema }) => schema.maxProperties),
      Number.POSITIVE_INFINITY,
      Math.min
    ),
    required: closeRequired(parts),
    hasDependents: parts.some(({ schema }) => schema.dependentRequired !== undefined)
  }
}

function closeRequired(parts: readonly Part[]): Set<string> {
  const required = new Set(parts.flatMap(({ schema }) => schema.required ?? []))
  for (const name of required) {
    for (const { schema } of parts) {
      for (const needed of own(schema.dependentRequired, name) ?? []) required.add(needed)
    }
  }
  return required
}

function* makeObject(plan: Plan, keep: Keep): Steps['run'] {
  const { parts, required, work, most } = plan
  if (required.size > most) return NOTHING
  const members: Members = new Map()
  const optional = describedNames(parts).filter((name) => !required.has(name) && keep(name))
  const { share, containers } = divide(plan.site.allowance, required.size + optional.length)
  for (const name of required) {
    if (work.isPauseDue()) yield PAUSE
    const made = makeProperty(plan, name, share, true)
    const value = made instanceof Steps ? yield* made.run : made
    if (value === NOTHING) return NOTHING
    members.set(name, value)
  }
  let left = containers
  for (const name of optional) {
    if (members.size >= most || work.isSpent()) break
    if (work.isPauseDue()) yield PAUSE
    const part = left > 0 ? share : 0
    if (plan.hasDependents) {
      yield* addOptional(plan, members, name, part)
    } else {
      const made = makeProperty(plan, name, part, false)
      const value = made instanceof Steps ? yield* made.run : made
      if (value !== NOTHING) members.set(name, value)
    }
    if (typeof members.get(name) === 'object') left -= 1
  }
  if (!(yield* fill(plan, members, share, keep))) return NOTHING
  const trigger = [...members.keys()].find(
    (name) =>
      !plan.triggered.has(name) &&
      parts.some(({ schema }) => own(schema.dependentSchemas, name) !== undefined)
  )
  if (trigger !== undefined) return yield* makeTriggered(plan, trigger, keep)
  return inOrder(members, parts, work)
}

/**
 * The share of the allowance for each member. If it is too small for containers in an object of
 * many members, the first of them get enough, and the others are left out.
 */
function divide(allowance: number, members: number): { share: number; containers: number } {
  const share = allowance / Math.max(1, members)
  if (share >= 1 || members < WIDE) return { share, containers: Number.POSITIVE_INFINITY }
  return { share: 1, containers: Math.floor(allowance) }
}

/** Handles a property with dependentSchemas: applies its schemas, or leaves the property out. */
function* makeTriggered(plan: Plan, trigger: string, keep: Keep): Steps['run'] {
  const { parts, refs, site, work } = plan
  const triggered = new Set(plan.triggered).add(trigger)
  const schemas = parts.flatMap(({ schema }) => own(schema.dependentSchemas, trigger) ?? [])
  const before = { parts, choices: [], refs, impossible: false }
  const needed: JsonSchema = { required: [trigger] }
  const more = addParts(before, [...schemas, needed], undefined, work)
  if (!more.impossible && more.choices.length === 0) {
    const found = yield* makeObject(makePlan(more.parts, more.refs, site, work, triggered), keep)
    if (found !== NOTHING) return found
  } else if (!more.impossible) {
    // The dependent schemas have alternatives, so the search restarts with all parts.
    const all = [...parts.map(({ schema }) => schema), ...schemas, needed]
    const made = work.solve(withoutTrigger(all, trigger), { ...site, variant: 0, hints: [] })
    const found = made instanceof Steps ? yield* made.run : made
    if (found !== NOTHING) return found
  }
  if (plan.required.has(trigger)) return NOTHING
  return yield* makeObject(plan, (name) => name !== trigger && keep(name))
}

function withoutTrigger(schemas: readonly JsonSchema[], trigger: string): JsonSchema[] {
  return schemas.map((schema) => {
    if (typeof schema === 'boolean' || own(schema.dependentSchemas, trigger) === undefined) {
      return schema
    }
    const { [trigger]: _, ...dependentSchemas } = schema.dependentSchemas ?? {}
    return { ...schema, dependentSchemas }
  })
}

function describedNames(parts: readonly Part[]): string[] {
  return [...new Set(parts.flatMap(({ schema }) => Object.keys(schema.properties ?? {})))]
}

/** Adds a property together with all properties that it requires, or none of them. */
function* addOptional(
  plan: Plan,
  members: Members,
  name: string,
  share: number
): Generator<typeof PAUSE, void, void> {
  const made: Members = new Map()
  const wanted = new Set([name])
  for (const one of wanted) {
    if (members.has(one)) continue
    const found = makeProperty(plan, one, share, false)
    const value = found instanceof Steps ? yield* found.run : found
    if (value === NOTHING) return
    made.set(one, value)
    for (const { schema } of plan.parts) {
      for (const needed of own(schema.dependentRequired, one) ?? []) wanted.add(needed)
    }
  }
  if (members.size + made.size > plan.most) return
  for (const [one, value] of made) members.set(one, value)
}

function makeProperty(plan: Plan, name: string, share: number, required: boolean): Value | Steps {
  const { work, site, parts } = plan
  const schemas = schemasFor(parts, name, work)
  if (schemas.includes(false) || !isNameAllowed(parts, name, work)) return NOTHING
  const open = openRefs(site, plan.refs)
  const inner: GenerationSite = {
    name,
    depth: site.depth + 1,
    open,
    allowance: share - 1,
    variant: site.variant,
    hints: hintsFor(plan, name)
  }
  if (!required && !isWorthwhile(schemas, inner, work)) return NOTHING
  // A required property that no schema describes is a string.
  return work.solve(schemas.length === 0 ? [{ type: 'string' }] : schemas, inner)
}

/** False if a reference recurs, or if a container would be added to a large or deep body. */
function isWorthwhile(
  schemas: readonly JsonSchema[],
  site: GenerationSite,
  work: GenerationContext
): boolean {
  const maxDepth = work.options.maxDepth ?? Number.POSITIVE_INFINITY
  const isLarge = site.allowance < 0 || site.depth > maxDepth
  return schemas.every((schema) => {
    if (typeof schema === 'boolean') return true
    if (schema.$ref !== undefined && timesOpen(site, schema.$ref) > 0) return false
    if (schema.allOf !== undefined && !isWorthwhile(schema.allOf, site, work)) return false
    return !isLarge || (schema.$ref === undefined && !isContainer(schema))
  })
}

function isContainer(schema: Exclude<JsonSchema, boolean>): boolean {
  const { properties, items, allOf, oneOf, anyOf, prefixItems, additionalProperties } = schema
  return [properties, items, allOf, oneOf, anyOf, prefixItems, additionalProperties].some(
    (keyword) => keyword !== undefined
  )
}

/** All schemas that the parts have for one property. */
function schemasFor(parts: readonly Part[], name: string, work: GenerationContext): JsonSchema[] {
  const found: JsonSchema[] = []
  const known: Part[] = []
  for (const part of parts) {
    const schemas = propertySchemas(part.schema, name, work)
    if (schemas.length > 0) known.push(part)
    found.push(...schemas)
  }
  for (const part of parts) {
    const { unevaluatedProperties } = part.schema
    if (unevaluatedProperties === undefined) continue
    if (!known.some((one) => isBelow(one, part))) found.push(unevaluatedProperties)
  }
  return found
}

function isNameAllowed(parts: readonly Part[], name: string, work: GenerationContext): boolean {
  const schemas = parts.flatMap(({ schema }) => schema.propertyNames ?? [])
  return schemas.length === 0 || work.accepts(schemas, name)
}

/** Values to try first: the member of an object's example, and the discriminator name. */
function hintsFor({ parts, refs, work }: Plan, name: string): unknown[] {
  const hints: unknown[] = []
  for (const { schema } of parts) {
    if (schema.discriminator?.propertyName === name) {
      const mapping = Object.entries(schema.discriminator.mapping ?? {})
      for (const ref of refs) {
        const component = work.view.nameOf(ref)
        const mapped = mapping.find(([, to]) => to === component || to.endsWith(`/${component}`))
        hints.push(mapped?.[0] ?? component)
      }
    }
    const { example } = schema
    if (work.style === 'random' || typeof example !== 'object' || example === null) continue
    if (!Array.isArray(example) && Object.hasOwn(example, name)) {
      hints.push((example as Record<string, unknown>)[name])
    }
  }
  return hints
}

/** Adds a few additional properties, and as many as minProperties requires. */
function* fill(
  plan: Plan,
  members: Members,
  share: number,
  keep: Keep
): Generator<typeof PAUSE, boolean, void> {
  const { work, most, least } = plan
  if (keep('property1')) {
    const extras = work.style === 'static' ? 2 : work.chance.whole(0, 3)
    const wanted = Math.min(most, members.size + extras)
    yield* addNamed(plan, members, share, wanted, extraNames(plan))
  }
  if (least - members.size > MAX_FILL) return false
  if (members.size < least) {
    yield* addNamed(plan, members, share, least, newNames(plan, least + 20))
  }
  return members.size >= least
}

function* addNamed(
  plan: Plan,
  members: Members,
  share: number,
  wanted: number,
  names: Iterable<string | typeof PAUSE>
): Generator<typeof PAUSE, void, void> {
  for (const name of names) {
    if (members.size >= wanted) return
    if (name === PAUSE || plan.work.isPauseDue()) yield PAUSE
    if (name !== PAUSE && !members.has(name)) yield* addOptional(plan, members, name, share)
  }
}

/** Names of optional additional properties; only described ones unless `fillProperties` is true. */
function* extraNames({ parts, work }: Plan): Iterable<string> {
  const { fillProperties } = work.options
  if (work.style === 'random' && fillProperties === false) return
  yield* patternNames(parts, 3, work)
  const described = parts.some(({ schema }) => typeof schema.additionalProperties === 'object')
  if (!described && (work.style === 'static' || fillProperties !== true)) return
  for (let number = 1; number <= 3; number += 1) yield `property${number}`
}

function* newNames(plan: Plan, count: number): Iterable<string | typeof PAUSE> {
  const { parts, work } = plan
  yield* describedNames(parts)
  yield* patternNames(parts, count, work)
  for (let number = 1; number <= count; number += 1) yield `property${number}`
  const names = parts.flatMap(({ schema }) => schema.propertyNames ?? [])
  if (names.length === 0) return
  for (let variant = 0; variant < Math.min(count, 200); variant += 1) {
    const site = { name: '', depth: plan.site.depth + 1, open: undefined, allowance: 1 }
    const made = work.solve([{ type: 'string' }, ...names], { ...site, variant, hints: [] })
    const name = made instanceof Steps ? yield* made.run : made
    if (typeof name === 'string') yield name
  }
}

function* patternNames(
  parts: readonly Part[],
  count: number,
  work: GenerationContext
): Iterable<string> {
  const sources = parts.flatMap(({ schema }) => Object.keys(schema.patternProperties ?? {}))
  for (const source of sources) {
    const pattern = work.patterns.get(source)
    for (let number = 0; number < Math.min(count, 50); number += 1) {
      const name = writeFromPattern(pattern, 0, number > 0, work.chance)
      if (name !== undefined && pattern.test(name)) yield name
    }
  }
}

/** Orders the members as in the document; `fromEntries` also keeps one named `__proto__`. */
function inOrder(members: Members, parts: readonly Part[], work: GenerationContext): unknown {
  work.spend(members.size)
  const names = [...describedNames(parts).filter((name) => members.has(name)), ...members.keys()]
  return Object.fromEntries([...new Set(names)].map((name) => [name, members.get(name)]))
}
