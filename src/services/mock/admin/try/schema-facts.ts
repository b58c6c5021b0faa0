import { type JsonSchema, type SchemaObject, typesOf } from '../../schema/json-schema.ts'
import type { View } from '../../schema/schemas.ts'

/** What a form needs to know about a schema. */
export interface SchemaFacts {
  /** Empty if the schema does not restrict the type. */
  types: readonly string[]
  /** Values to choose from; undefined if there are others or too many. */
  options: readonly unknown[] | undefined
  /** Type and limits, such as `integer, 1 to 50`. */
  text: string
  properties: ReadonlyMap<string, JsonSchema>
  required: ReadonlySet<string>
  /** Whether the value may have properties that depend on the chosen branch of a union. */
  isUnion: boolean
}

/** Number of subschemas that are read; a document may nest them without an end. */
const MAX_PARTS = 60
const MAX_OPTIONS = 60

export function factsOf(view: View, schema: JsonSchema | undefined): SchemaFacts {
  const parts = partsOf(view, schema)
  const first = <T>(read: (part: SchemaObject) => T | undefined): T | undefined =>
    parts.map(read).find((value) => value !== undefined)
  const properties = new Map<string, JsonSchema>()
  for (const part of parts) {
    for (const [name, inner] of Object.entries(part.properties ?? {})) {
      if (!properties.has(name)) properties.set(name, inner)
    }
  }
  const types = first(typesOf) ?? impliedTypes(properties, first)
  const values =
    first((part) => part.enum) ??
    first((part) => (part.const === undefined ? undefined : [part.const]))
  const options = types.length === 1 && types[0] === 'boolean' ? [true, false] : values
  return {
    types,
    options: options === undefined || options.length > MAX_OPTIONS ? undefined : options,
    text: [typeText(view, types, first), limitText(first)].filter((word) => word !== '').join(', '),
    properties,
    required: new Set(parts.flatMap((part) => part.required ?? [])),
    isUnion: parts.some(({ oneOf, anyOf }) => oneOf !== undefined || anyOf !== undefined)
  }
}

/** The schema and those that it refers to or combines with `allOf`. */
function partsOf(view: View, schema: JsonSchema | undefined): SchemaObject[] {
  const parts = new Set<SchemaObject>()
  const open = [schema]
  while (open.length > 0 && parts.size < MAX_PARTS) {
    const next = open.pop()
    if (typeof next !== 'object' || parts.has(next)) continue
    parts.add(next)
    open.push(...(next.allOf ?? []).slice(0, MAX_PARTS).reverse())
    if (next.$ref !== undefined) open.push(view.resolve(next.$ref))
  }
  return [...parts]
}

type First = <T>(read: (part: SchemaObject) => T | undefined) => T | undefined

function impliedTypes(properties: ReadonlyMap<string, JsonSchema>, first: First): string[] {
  if (properties.size > 0) return ['object']
  return first((part) => part.items) === undefined ? [] : ['array']
}

function typeText(view: View, types: readonly string[], first: First): string {
  const format = first((part) => part.format)
  const items = first((part) => part.items)
  const inner = items === undefined ? '' : (factsOfItems(view, items) ?? '')
  const name = types.map((type) => (type === 'array' && inner !== '' ? `array of ${inner}` : type))
  const text = name.join(' or ')
  if (format === undefined) return text
  return text === '' ? format : `${text} (${format})`
}

/** Only the types of the items, because an array may contain arrays without an end. */
function factsOfItems(view: View, items: JsonSchema): string | undefined {
  const types = partsOf(view, items)
    .map(typesOf)
    .find((found) => found !== undefined)
  return types?.join(' or ')
}

function limitText(first: First): string {
  const least = first((part) => part.minimum)
  const most = first((part) => part.maximum)
  const above = first((part) => part.exclusiveMinimum)
  const below = first((part) => part.exclusiveMaximum)
  const pattern = first((part) => part.pattern)
  const words = [
    rangeText(least, most, ''),
    above === undefined ? '' : `more than ${above}`,
    below === undefined ? '' : `less than ${below}`,
    rangeText(
      first((part) => part.minLength),
      first((part) => part.maxLength),
      ' characters'
    ),
    rangeText(
      first((part) => part.minItems),
      first((part) => part.maxItems),
      ' items'
    ),
    pattern === undefined || pattern.length > 60 ? '' : `matches ${pattern}`
  ]
  return words.filter((word) => word !== '').join(', ')
}

function rangeText(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return ''
  if (least === undefined) return `at most ${most}${unit}`
  return most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`
}
