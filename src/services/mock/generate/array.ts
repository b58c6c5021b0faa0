import { canonical } from '../schema/equality.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { isBelow, type Part, type Parts } from './parts.ts'
import { NOTHING, type Value } from './value.ts'
import { MAX_ITEMS, openRefs, type Place, timesOpen, type Work } from './work.ts'

interface Plan {
  parts: readonly Part[]
  place: Place
  work: Work
  least: number
  most: number
  unique: boolean
  /** The longest list of items with a schema of their own. */
  prefix: number
}

const RANDOM_ATTEMPTS = 4
const VARIANT_TRIES = 60

/** Lists: as long as is usual, as short as allowed, then lengths in between. */
export function* arrayCandidates(
  { parts, refs }: Parts,
  place: Place,
  work: Work
): Iterable<unknown> {
  const plan = makePlan(parts, { ...place, open: openRefs(place, refs) }, work)
  if (plan.least > plan.most) return
  if (plan.least > MAX_ITEMS) {
    work.note(
      `the schema requires an array of ${plan.least} items, but at most ${MAX_ITEMS} can be generated`
    )
    return
  }
  const usual = usualLength(plan)
  const lengths = [usual, plan.least, Math.min(plan.most, Math.max(plan.prefix, usual + 1))]
  for (let count = 0; count < RANDOM_ATTEMPTS; count += 1) {
    lengths.push(Math.min(plan.most, plan.least + count + 1))
  }
  for (const length of new Set(lengths)) {
    const made = makeArray(plan, length)
    if (made !== NOTHING) yield made
  }
}

function makePlan(parts: readonly Part[], place: Place, work: Work): Plan {
  let [least, most, unique, prefix] = [0, Number.POSITIVE_INFINITY, false, 0]
  for (const { schema } of parts) {
    const contained = schema.contains === undefined ? 0 : (schema.minContains ?? 1)
    least = Math.max(least, schema.minItems ?? 0, contained)
    most = Math.min(most, schema.maxItems ?? most)
    unique ||= schema.uniqueItems === true
    prefix = Math.max(prefix, schema.prefixItems?.length ?? 0)
  }
  return { parts, place, work, least, most, unique, prefix }
}

function usualLength({ parts, least, most, prefix, work, place }: Plan): number {
  const { minItems = 1, maxItems = 4 } = work.options
  const described = parts.some(({ schema }) => schema.items !== undefined && schema.items !== false)
  let wanted = described ? Math.max(1, prefix) : prefix
  if (work.style === 'random' && described) {
    wanted = Math.max(wanted, work.chance.whole(minItems, Math.max(minItems, maxItems)))
  }
  if (place.allowance < 0 || work.sparse) wanted = 0
  return Math.min(most, Math.max(least, wanted), Math.max(least, MAX_ITEMS))
}

/** As many items as wanted, or fewer where no more are found and fewer will do. */
function makeArray(plan: Plan, length: number): Value {
  const { least, place, work } = plan
  const items: unknown[] = []
  const seen = new Set<string>()
  const contained = containedAt(plan, length)
  const share = place.allowance / Math.max(1, length) - 1
  for (let index = 0; index < length; index += 1) {
    const schemas = schemasAt(plan, index)
    const asked = contained.filter((one) => index >= one.from && index < one.until)
    const all = [...schemas, ...asked.map(({ schema }) => schema)]
    const required = index < least
    if (schemas.includes(false)) return items.length >= least ? items : NOTHING
    if (!required && comesBack(all, place)) break
    const item = makeItem(plan, all, share, seen, index)
    if (item === NOTHING) return required || asked.length > 0 ? NOTHING : items
    if (plan.unique) seen.add(canonical(item))
    items.push(item)
  }
  work.spend(items.length)
  return items
}

function makeItem(
  { place, work, unique }: Plan,
  schemas: readonly JsonSchema[],
  share: number,
  seen: ReadonlySet<string>,
  index: number
): Value {
  const inner: Place = {
    name: place.name,
    depth: place.depth + 1,
    open: place.open,
    allowance: share,
    variant: 0,
    hints: []
  }
  if (!unique) return work.solve(schemas, { ...inner, variant: index === 0 ? place.variant : 0 })
  for (let attempt = 0; attempt < VARIANT_TRIES; attempt += 1) {
    const variant = seen.size + place.variant + attempt
    const item = work.solve(schemas, { ...inner, variant: attempt === 0 ? seen.size : variant })
    if (item === NOTHING) return NOTHING
    if (!seen.has(canonical(item))) return item
  }
  return NOTHING
}

/** Each `contains` gets a stretch of items, from the end, where the others leave most room. */
function containedAt({ parts, prefix }: Plan, length: number) {
  let until = length
  const places: { schema: JsonSchema; from: number; until: number }[] = []
  for (const { schema } of parts) {
    if (schema.contains === undefined) continue
    const wanted = schema.minContains ?? 1
    if (wanted === 0) continue
    // Items of the prefix may meet it by themselves; the check of the whole decides.
    const from = Math.max(0, until - wanted)
    if (from < prefix && length <= prefix && places.length > 0) continue
    places.push({ schema: schema.contains, from, until })
    if (from >= wanted) until = from
  }
  return places
}

function schemasAt({ parts }: Plan, index: number): JsonSchema[] {
  const found: JsonSchema[] = []
  const known: Part[] = []
  for (const part of parts) {
    const { prefixItems = [], items } = part.schema
    const own = index < prefixItems.length ? prefixItems[index] : items
    if (own === undefined) continue
    known.push(part)
    found.push(own)
  }
  for (const part of parts) {
    const { unevaluatedItems, contains } = part.schema
    if (unevaluatedItems === undefined || contains !== undefined) continue
    if (!known.some((one) => isBelow(one, part))) found.push(unevaluatedItems)
  }
  return found
}

function comesBack(schemas: readonly JsonSchema[], place: Place): boolean {
  return schemas.some(
    (schema) =>
      typeof schema !== 'boolean' &&
      ((schema.$ref !== undefined && timesOpen(place, schema.$ref) > 0) ||
        (schema.allOf !== undefined && comesBack(schema.allOf, place)))
  )
}
