import { isArray, isObject, type Json } from '../text/json.ts'

/** Names of members that hold schemas: one, a list of them, or one under each name. */
const SINGLE = [
  ...['additionalProperties', 'propertyNames', 'contains', 'not', 'if', 'then', 'else', 'items'],
  ...['unevaluatedItems', 'unevaluatedProperties']
]
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']

export const STEP = 'nonet:step'

/** Levels of a schema; deeper ones are nobody's work. */
const MAX_DEPTH = 100

/**
 * The schema with a count of its own in every place, so that each evaluation is counted by what
 * it weighs. Undefined when it is too deep.
 */
export function countSteps(schema: Json, depth = 0): Json | undefined {
  if (!isObject(schema)) return schema
  if (depth > MAX_DEPTH) return undefined
  const members: [string, Json][] = []
  let weight = 1
  for (const [name, value] of Object.entries(schema)) {
    const counted = countMember(name, value, depth)
    if (counted === undefined) return undefined
    members.push([name, counted])
    weight += counted === value ? sizeOf(value) : 1
  }
  return Object.fromEntries([...members, [STEP, weight]])
}

function countMember(name: string, value: Json, depth: number): Json | undefined {
  if (SINGLE.includes(name)) return countSteps(value, depth + 1)
  if (LISTS.includes(name) && isArray(value)) {
    const parts = value.map((part) => countSteps(part, depth + 1))
    return parts.includes(undefined) ? undefined : parts.filter((part) => part !== undefined)
  }
  if (MAPS.includes(name) && isObject(value)) {
    const parts = Object.entries(value).map(([key, part]) => [key, countSteps(part, depth + 1)])
    return parts.some(([, part]) => part === undefined) ? undefined : Object.fromEntries(parts)
  }
  return value
}

/** About the values in it, as of an `enum`. */
function sizeOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1
  return isArray(value) ? 1 + value.length : 1 + Object.keys(value).length
}
