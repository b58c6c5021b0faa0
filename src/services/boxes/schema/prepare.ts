import { isObject, type Json, type JsonObject } from '../../../kernel/json.ts'
import { checkPatterns } from './pattern-limits.ts'
import { SchemaRejected } from './rejected.ts'

/** Keywords whose value is an object of schemas. */
const MAPS = [
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
  'dependencies'
]
/** Keywords whose value is never a schema. */
const VALUES = ['const', 'enum', 'default', 'examples', 'dependentRequired', '$vocabulary']
/** Keywords of Ajv that JSON Schema 2020-12 does not define. */
const DROPPED = ['nullable']

export const STEP = 'nonet:step'

/** Maximum number of levels of a schema. */
const MAX_DEPTH = 100

/** Compiling blocks the event loop, and its time grows faster than the schema. */
const MAX_SUBSCHEMAS = 600

/** Names that cost one step: whether a record has a property is checked fast. */
const NAMES_PER_STEP = 10

export interface Prepared {
  readonly schema: Json
  /** The subschemas that count steps; no other object in `schema` may be evaluated. */
  readonly counted: ReadonlySet<unknown>
}

/**
 * The schema with the keyword `STEP` in every subschema, so that each evaluation is counted by its
 * weight. A reference may point to a member of any name, so every object may be a schema.
 * Throws SchemaRejected.
 */
export function prepareSchema(schema: Json): Prepared {
  const counted = new Set<unknown>()
  const patterns = new Set<string>()
  const prepared = prepareMember(schema, 0)
  checkPatterns(patterns)
  return { schema: prepared, counted }

  function prepareMember(value: Json, depth: number): Json {
    if (depth > MAX_DEPTH) throw new SchemaRejected('nested too deeply')
    if (Array.isArray(value)) return value.map((part) => prepareMember(part, depth + 1))
    return isObject(value) ? prepareObject(value, depth) : value
  }

  function prepareObject(object: JsonObject, depth: number): JsonObject {
    const members: [string, Json][] = []
    let weight = 1
    for (const [name, value] of Object.entries(object)) {
      if (name === '$async') throw new SchemaRejected('$async is not supported')
      if (name === STEP || DROPPED.includes(name)) continue
      if (name === 'pattern' && typeof value === 'string') patterns.add(value)
      weight += sizeOf(name, value)
      members.push([name, prepareNamed(name, value, depth + 1)])
    }
    const result = Object.fromEntries([...members, [STEP, weight]])
    counted.add(result)
    if (counted.size > MAX_SUBSCHEMAS) {
      throw new SchemaRejected(`more than ${MAX_SUBSCHEMAS} schemas in one`)
    }
    return result
  }

  function prepareNamed(name: string, value: Json, depth: number): Json {
    if (VALUES.includes(name)) return value
    if (!MAPS.includes(name) || !isObject(value)) return prepareMember(value, depth)
    if (Object.hasOwn(value, '__proto__')) {
      throw new SchemaRejected(`${name} cannot have the name __proto__`)
    }
    if (name === 'patternProperties') for (const key of Object.keys(value)) patterns.add(key)
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, prepareMember(part, depth)])
    )
  }
}

/** Approximate cost of a keyword; subschemas are counted on their own. */
function sizeOf(name: string, value: Json): number {
  if (typeof value !== 'object' || value === null) return 1
  if (Array.isArray(value)) return 1 + value.length
  const names = Object.keys(value).length
  if (MAPS.includes(name)) return 1 + names / NAMES_PER_STEP
  return VALUES.includes(name) ? 1 + names : 1
}
