import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts'
import { own, typesOf } from '../schema/json-schema.ts'
import type { View } from '../schema/schemas.ts'
import { EVERY } from './selection.ts'

/**
 * Whether a schema allows a value at a pointer: `no` forbidden, `doubtful` allowed but not defined,
 * `open` not restricted, `yes` defined.
 */
export type Reach = 'no' | 'doubtful' | 'open' | 'yes'

const RANKS: readonly Reach[] = ['no', 'doubtful', 'open', 'yes']
const MAX_DEPTH = 60
/** Schemas with more subschemas than this are assumed to allow anything. */
const MAX_STEPS = 5000

export function createReach(view: View) {
  let steps = 0

  function reach(schema: JsonSchema, tokens: readonly string[], depth: number): Reach {
    if (typeof schema === 'boolean') return schema ? 'open' : 'no'
    if (tokens.length === 0) return 'yes'
    steps += 1
    if (depth > MAX_DEPTH || steps > MAX_STEPS) return 'open'
    const inner = (one: JsonSchema) => reach(one, tokens, depth + 1)
    const parts: Reach[] = [ownReach(schema, tokens, depth)]
    if (schema.$ref !== undefined) parts.push(inner(view.resolve(schema.$ref)))
    parts.push(...(schema.allOf ?? []).map(inner))
    for (const union of [schema.anyOf, schema.oneOf]) {
      if (union !== undefined) parts.push(best(union.map(inner)))
    }
    for (const branch of [schema.then, schema.else]) {
      if (branch !== undefined && inner(branch) === 'yes') parts.push('yes')
    }
    return together(parts)
  }

  function ownReach(schema: SchemaObject, tokens: readonly string[], depth: number): Reach {
    const types = typesOf(schema)
    const mayBeObject = types === undefined || types.includes('object')
    const mayBeList = types === undefined || types.includes('array')
    const found: Reach[] = ['no']
    if (mayBeObject) found.push(inObject(schema, tokens, depth))
    if (mayBeList) found.push(inList(schema, tokens, depth))
    return best(found)
  }

  function inObject(schema: SchemaObject, tokens: readonly string[], depth: number): Reach {
    const [name = '', ...rest] = tokens
    const property = own(schema.properties, name)
    if (property !== undefined) return reach(property, rest, depth + 1)
    if (schema.patternProperties !== undefined) return 'open'
    const { additionalProperties: more } = schema
    if (more === false) return 'no'
    if (more !== undefined) return reach(more, rest, depth + 1) === 'no' ? 'no' : 'open'
    return schema.properties === undefined ? 'open' : 'doubtful'
  }

  function inList(schema: SchemaObject, tokens: readonly string[], depth: number): Reach {
    const [index = '', ...rest] = tokens
    if (index !== EVERY && index !== '-' && !/^\d+$/.test(index)) return 'no'
    const { items, prefixItems = [] } = schema
    const described = index === EVERY ? undefined : prefixItems[Number(index)]
    return reach(described ?? items ?? true, rest, depth + 1)
  }

  return (pointer: string, tokens: readonly string[]): Reach => {
    const schema = view.at(pointer)
    steps = 0
    return schema === undefined ? 'open' : reach(schema, tokens, 0)
  }
}

export function best(found: readonly Reach[]): Reach {
  return found.reduce(
    (one, other) => (RANKS.indexOf(one) >= RANKS.indexOf(other) ? one : other),
    'no'
  )
}

/** Combines schemas of the same value: `no` wins over `yes`, and `yes` over the others. */
function together(found: readonly Reach[]): Reach {
  if (found.includes('no')) return 'no'
  if (found.includes('yes')) return 'yes'
  return found.includes('doubtful') ? 'doubtful' : 'open'
}
