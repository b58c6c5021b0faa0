import { canonical } from '../../../kernel/json-equality.ts'
import { type JsonSchema, type TypeName, typesOf } from '../schema/json-schema.ts'
import { arrayCandidates } from './array.ts'
import { fixedValues } from './fixed-values.ts'
import { numberCandidates } from './number.ts'
import { objectCandidates } from './object.ts'
import { addParts, type Choice, NO_PARTS, type Part, type Parts } from './parts.ts'
import { textCandidates } from './text.ts'
import { NOTHING, type Value } from './value.ts'
import {
  type GenerationContext,
  type GenerationSite,
  MAX_DEPTH,
  PAUSE,
  Steps,
  timesOpen
} from './work.ts'

/** Maximum number of alternatives that are tried for one value. */
const MAX_TRIES = 60
const MAX_CANDIDATES = 40
/** Maximum number of times that a reference is followed inside itself. */
const MAX_OPEN = 3
const SCALARS_FIRST: readonly TypeName[] = ['null', 'boolean', 'integer', 'number', 'string']

const TYPES_BY_KEYWORD: readonly (readonly [TypeName, readonly string[]])[] = [
  [
    'object',
    [
      ...['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties'],
      ...['propertyNames', 'maxProperties', 'dependentRequired', 'dependentSchemas'],
      ...['unevaluatedProperties', 'discriminator']
    ]
  ],
  [
    'array',
    [
      ...['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems'],
      'unevaluatedItems'
    ]
  ],
  ['string', ['pattern', 'minLength', 'maxLength', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']]
]
const ANY_ORDER: readonly TypeName[] = ['null', 'object', 'string', 'number', 'boolean', 'array']

/** Values of schemas with these keywords are checked as a whole, not only by their parts. */
const DIFFICULT: readonly string[] = [
  ...['not', 'oneOf', 'anyOf', 'if', 'contains', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['dependentSchemas', 'propertyNames', 'const', 'enum', 'patternProperties', 'uniqueItems']
]

interface Search {
  schemas: readonly JsonSchema[]
  site: GenerationSite
  work: GenerationContext
  tries: number
  /** Number of valid values still to be skipped, and the last skipped value. */
  skip: number
  last: Value
  /** Fixed values that were already tried. */
  tried: Set<string>
}

/** Returns a value that is valid for all the schemas, or NOTHING; at once if it is a scalar. */
export function solve(
  schemas: readonly JsonSchema[],
  site: GenerationSite,
  work: GenerationContext
): Value | Steps {
  work.spend(1)
  if (site.depth > MAX_DEPTH) {
    work.note(`values are generated at most ${MAX_DEPTH} levels deep`)
    return NOTHING
  }
  const parts = addParts(NO_PARTS, schemas, undefined, work)
  if (parts.impossible || isTooOpen(parts, site)) return NOTHING
  const tried = new Set<string>()
  const search: Search = {
    schemas,
    site,
    work,
    tries: 0,
    skip: site.variant,
    last: NOTHING,
    tried
  }
  if (parts.choices.length === 0 && isScalar(parts)) {
    const found = buildScalar(parts, search)
    return found === NOTHING ? search.last : found
  }
  return new Steps(searchValue(parts, search))
}

function* searchValue(parts: Parts, search: Search): Steps['run'] {
  if (search.work.isPauseDue()) yield PAUSE
  if (parts.choices.length > 0) {
    const { found, closed } = tryFixed(parts, search)
    if (found !== NOTHING) return found
    if (closed) return search.last
  }
  const found = yield* choose(parts, search)
  return found === NOTHING ? search.last : found
}

function isScalar({ parts }: Parts): boolean {
  const allowed = allowedTypes(parts)
  return allowed?.every((type) => type !== 'object' && type !== 'array') === true
}

/** Tries the fixed values of the schemas, each of them once. */
function tryFixed(parts: Parts, search: Search): { found: Value; closed: boolean } {
  const { values, closed } = fixedValues(parts, search.site, search.work)
  for (const value of values) {
    const key = canonical(value)
    if (search.tried.has(key)) continue
    search.tried.add(key)
    const found = offer(value, search)
    if (found !== NOTHING) return { found, closed }
  }
  return { found: NOTHING, closed }
}

function isTooOpen({ refs }: Parts, site: GenerationSite): boolean {
  return refs.some((ref) => timesOpen(site, ref) >= MAX_OPEN)
}

/** Returns the value if it is valid and no more values have to be skipped. */
function offer(value: unknown, search: Search): Value {
  if (!search.work.accepts(search.schemas, value)) return NOTHING
  if (search.skip === 0) return value
  search.skip -= 1
  search.last = value
  return NOTHING
}

function* choose(parts: Parts, search: Search): Steps['run'] {
  const [choice, ...others] = parts.choices
  if (choice === undefined) return yield* build(parts, search)
  const before = { ...parts, choices: others }
  for (const alternative of order(choice, before, search)) {
    if (search.tries > MAX_TRIES) return NOTHING
    search.tries += 1
    const found = yield* choose(alternative, search)
    if (found !== NOTHING) return found
  }
  return NOTHING
}

/** Alternatives with references that are already open are last; random style shuffles others. */
function order(choice: Choice, before: Parts, search: Search): Parts[] {
  const { work, site } = search
  const seen = new Set(before.refs)
  return mixed(choice, work)
    .map((schemas) => addParts(before, schemas, choice.parent, work))
    .filter((parts) => !parts.impossible && !isTooOpen(parts, site) && hasTypes(parts))
    .map((parts) => {
      const fresh = parts.refs.filter((ref) => !seen.has(ref))
      return { parts, open: Math.max(0, ...fresh.map((ref) => timesOpen(site, ref))) }
    })
    .sort((one, other) => one.open - other.open)
    .map(({ parts }) => parts)
}

function mixed({ alternatives, equal }: Choice, work: GenerationContext): Choice['alternatives'] {
  if (work.style === 'static') return alternatives
  return [...work.chance.shuffle(alternatives.slice(0, equal)), ...alternatives.slice(equal)]
}

/** Like `build`, without the cost of a generator. */
function buildScalar(parts: Parts, search: Search): Value {
  const fixed = tryFixed(parts, search)
  if (fixed.found !== NOTHING || fixed.closed) return fixed.found
  const { site, work } = search
  const test = createTest(parts, search)
  for (const type of orderTypes(parts.parts, site, work)) {
    let count = 0
    for (const value of candidates(type, parts, site, work)) {
      const found = test(value)
      if (found !== NOTHING) return found
      count += 1
      if (count >= MAX_CANDIDATES + site.variant) break
    }
  }
  return NOTHING
}

function* build(parts: Parts, search: Search): Steps['run'] {
  const fixed = tryFixed(parts, search)
  if (fixed.found !== NOTHING || fixed.closed) return fixed.found
  const { site, work } = search
  const test = createTest(parts, search)
  for (const type of orderTypes(parts.parts, site, work)) {
    let count = 0
    for (const value of candidates(type, parts, site, work)) {
      if (value === PAUSE) {
        yield PAUSE
        continue
      }
      const found = test(value)
      if (found !== NOTHING) return found
      count += 1
      if (count >= MAX_CANDIDATES + site.variant) break
    }
  }
  return NOTHING
}

function createTest(parts: Parts, search: Search): (value: unknown) => Value {
  const difficult = search.work.careful || parts.parts.some(isDifficult)
  return function test(value) {
    search.work.spend(1)
    return difficult || search.skip > 0 ? offer(value, search) : value
  }
}

function isDifficult({ schema }: Part): boolean {
  return DIFFICULT.some((keyword) => Object.hasOwn(schema, keyword))
}

function candidates(
  type: TypeName,
  parts: Parts,
  site: GenerationSite,
  work: GenerationContext
): Iterable<unknown> {
  switch (type) {
    case 'null':
      return [null]
    case 'boolean':
      return work.style === 'random' ? work.chance.shuffle([true, false]) : [true, false]
    case 'integer':
    case 'number':
      return numberCandidates(parts.parts, type, work)
    case 'string':
      return textCandidates(parts.parts, site, work)
    case 'array':
      return arrayCandidates(parts, site, work)
    default:
      return objectCandidates(parts, site, work)
  }
}

function hasTypes({ parts }: Parts): boolean {
  return allowedTypes(parts)?.length !== 0
}

/** Types that every part allows, in the order of the first; undefined if no part has a type. */
function allowedTypes(parts: readonly Part[]): readonly TypeName[] | undefined {
  let allowed: readonly TypeName[] | undefined
  for (const { schema } of parts) {
    const types = typesOf(schema)
    if (types === undefined) continue
    allowed = allowed === undefined ? [...new Set(types)] : intersect(allowed, types)
  }
  return allowed
}

function intersect(one: readonly TypeName[], other: readonly TypeName[]): TypeName[] {
  const both = one.flatMap((type) => {
    if (other.includes(type)) return [type]
    if (type === 'number' && other.includes('integer')) return ['integer' as const]
    return type === 'integer' && other.includes('number') ? [type] : []
  })
  return [...new Set(both)]
}

function orderTypes(
  parts: readonly Part[],
  site: GenerationSite,
  work: GenerationContext
): readonly TypeName[] {
  const allowed = allowedTypes(parts)
  if (allowed === undefined) return guessTypes(parts)
  if (allowed.length < 2) return allowed
  if (site.depth > MAX_DEPTH / 2 || isInside(parts, site)) {
    return [...allowed].sort((one, other) => rank(one) - rank(other))
  }
  if (work.style === 'static') return allowed
  const others = allowed.filter((type) => type !== 'null')
  const mixed = work.chance.shuffle(others)
  return work.chance.next() < 0.1 ? ['null', ...mixed] : [...mixed, 'null']
}

function isInside(parts: readonly Part[], site: GenerationSite): boolean {
  return parts.some(({ schema }) => schema.$ref !== undefined && timesOpen(site, schema.$ref) > 0)
}

function rank(type: TypeName): number {
  return SCALARS_FIRST.includes(type) ? 0 : 1
}

/** For schemas without a type, the types that their keywords apply to are first. */
function guessTypes(parts: readonly Part[]): readonly TypeName[] {
  const likely = TYPES_BY_KEYWORD.filter(([, keywords]) =>
    parts.some(({ schema }) => keywords.some((keyword) => Object.hasOwn(schema, keyword)))
  ).map(([type]) => type)
  return [...new Set([...likely, ...ANY_ORDER])]
}
