import { canonical } from '../../../kernel/json-equality.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { isBelow, type Part, type Parts } from './parts.ts'
import { NOTHING } from './value.ts'
import {
  type GenerationContext,
  type GenerationSite,
  MAX_ITEMS,
  openRefs,
  PAUSE,
  Steps,
  timesOpen
} from './work.ts'

interface Plan {
  parts: readonly Part[]
  site: GenerationSite
  work: GenerationContext
  least: number
  most: number
  unique: boolean
  /** Length of the longest `prefixItems`. */
  prefix: number
}

const RANDOM_ATTEMPTS = 4
const VARIANT_TRIES = 60

/** Yields arrays of the usual length, then of the minimum length, then of other lengths. */
export function* arrayCandidates(
  { parts, refs }: Parts,
  site: GenerationSite,
  work: GenerationContext
): Iterable<unknown> {
  const plan = makePlan(parts, { ...site, open: openRefs(site, refs) }, work)
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
    const made = yield* makeArray(plan, length)
    if (made !== NOTHING) yield made
  }
}

function makePlan(parts: readonly Part[], site: GenerationSite, work: GenerationContext): Plan {
  let [least, most, unique, prefix] = [0, Number.POSITIVE_INFINITY, false, 0]
  for (const { schema } of parts) {
    const contained = schema.contains === undefined ? 0 : (schema.minContains ?? 1)
    least = Math.max(least, schema.minItems ?? 0, contained)
    most = Math.min(most, schema.maxItems ?? most)
    unique ||= schema.uniqueItems === true
    prefix = Math.max(prefix, schema.prefixItems?.length ?? 0)
  }
  return { parts, site, work, least, most, unique, prefix }
}

function usualLength({ parts, least, most, prefix, work, site }: Plan): number {
  const { minItems = 1, maxItems = 4 } = work.options
  const described = parts.some(({ schema }) => schema.items !== undefined && schema.items !== false)
  let wanted = described ? Math.max(1, prefix) : prefix
  if (work.style === 'random' && described) {
    wanted = Math.max(wanted, work.chance.whole(minItems, Math.max(minItems, maxItems)))
  }
  if (site.allowance < 0 || work.sparse || work.isSpent()) wanted = 0
  return Math.min(most, Math.max(least, wanted), Math.max(least, MAX_ITEMS))
}

/** Generates an array of this length; shorter if no more items are found and fewer are allowed. */
function* makeArray(plan: Plan, length: number): Steps['run'] {
  const { least, site, work } = plan
  const items: unknown[] = []
  const seen = new Set<string>()
  const contained = containedAt(plan, length)
  const share = site.allowance / Math.max(1, length) - 1
  for (let index = 0; index < length; index += 1) {
    const schemas = schemasAt(plan, index)
    const asked = contained.filter((one) => index >= one.from && index < one.until)
    const all = [...schemas, ...asked.map(({ schema }) => schema)]
    const required = index < least
    if (schemas.includes(false)) return items.length >= least ? items : NOTHING
    if (!required && comesBack(all, site)) break
    if (work.isPauseDue()) yield PAUSE
    const item = yield* makeItem(plan, all, share, seen, index)
    if (item === NOTHING) return required || asked.length > 0 ? NOTHING : items
    if (plan.unique) seen.add(canonical(item))
    items.push(item)
  }
  work.spend(items.length)
  return items
}

function* makeItem(
  { site, work, unique }: Plan,
  schemas: readonly JsonSchema[],
  share: number,
  seen: ReadonlySet<string>,
  index: number
): Steps['run'] {
  const inner: GenerationSite = {
    name: site.name,
    depth: site.depth + 1,
    open: site.open,
    allowance: share,
    variant: 0,
    hints: []
  }
  if (!unique) {
    const made = work.solve(schemas, { ...inner, variant: index === 0 ? site.variant : 0 })
    return made instanceof Steps ? yield* made.run : made
  }
  for (let attempt = 0; attempt < VARIANT_TRIES; attempt += 1) {
    const variant = seen.size + site.variant + attempt
    const made = work.solve(schemas, { ...inner, variant: attempt === 0 ? seen.size : variant })
    const item = made instanceof Steps ? yield* made.run : made
    if (item === NOTHING) return NOTHING
    if (!seen.has(canonical(item))) return item
  }
  return NOTHING
}

/** Assigns each `contains` a range at the end of the array, where other schemas restrict least. */
function containedAt({ parts, prefix }: Plan, length: number) {
  let until = length
  const ranges: { schema: JsonSchema; from: number; until: number }[] = []
  for (const { schema } of parts) {
    if (schema.contains === undefined) continue
    const wanted = schema.minContains ?? 1
    if (wanted === 0) continue
    // Items of the prefix may match `contains` by chance; the check of the whole array decides.
    const from = Math.max(0, until - wanted)
    if (from < prefix && length <= prefix && ranges.length > 0) continue
    ranges.push({ schema: schema.contains, from, until })
    if (from >= wanted) until = from
  }
  return ranges
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

function comesBack(schemas: readonly JsonSchema[], site: GenerationSite): boolean {
  return schemas.some(
    (schema) =>
      typeof schema !== 'boolean' &&
      ((schema.$ref !== undefined && timesOpen(site, schema.$ref) > 0) ||
        (schema.allOf !== undefined && comesBack(schema.allOf, site)))
  )
}
