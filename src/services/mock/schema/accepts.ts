import { isObject } from '../../../kernel/json.ts'
import { findEqual, isEqual } from '../../../kernel/json-equality.ts'
import { type JsonSchema, own, type SchemaObject, typesOf } from './json-schema.ts'
import type { Patterns } from './pattern/pattern.ts'
import type { View } from './view.ts'

export interface Tools {
  view: Pick<View, 'resolve'>
  patterns: Patterns
  hasFormat: (format: string, value: unknown) => boolean
  /** Called with the number of steps taken; throws to end the check. */
  spend: (steps: number) => void
}

/** Names or indexes that a schema has evaluated, for unevaluatedProperties and unevaluatedItems. */
type Looked = Set<string | number>

/**
 * Whether a value is valid, without compiling the schema, because a search checks most schemas only
 * once or twice. Generated values are validated by the compiled validator in the end.
 */
export function accepts(schema: JsonSchema, value: unknown, tools: Tools): boolean {
  return look(schema, value, tools) !== undefined
}

function look(schema: JsonSchema, value: unknown, tools: Tools): Looked | undefined {
  if (typeof schema === 'boolean') return schema ? new Set() : undefined
  tools.spend(1)
  if (!isPlainlyFine(schema, value, tools)) return undefined
  const looked: Looked = new Set()
  if (!acceptsSameInstance(schema, value, looked, tools)) return undefined
  if (Array.isArray(value)) return lookAtItems(schema, value, looked, tools) ? looked : undefined
  if (isObject(value)) return lookAtProperties(schema, value, looked, tools) ? looked : undefined
  return looked
}

function isPlainlyFine(schema: SchemaObject, value: unknown, tools: Tools): boolean {
  const types = typesOf(schema)
  if (types !== undefined && !types.some((type) => hasType(value, type))) return false
  if (Object.hasOwn(schema, 'const') && !isEqual(schema.const, value)) return false
  if (schema.enum?.some((one) => isEqual(one, value)) === false) return false
  if (schema.format !== undefined && !tools.hasFormat(schema.format, value)) return false
  if (typeof value === 'number') return isNumberFine(schema, value)
  if (typeof value === 'string') return isTextFine(schema, value, tools)
  return true
}

export function hasType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

export function isNumberFine(schema: SchemaObject, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  if (minimum !== undefined && value < minimum) return false
  if (maximum !== undefined && value > maximum) return false
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return false
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) return false
  if (multipleOf === undefined) return true
  const times = value / multipleOf
  return Math.abs(Math.round(times) - times) <= 1e-10
}

function isTextFine(schema: SchemaObject, value: string, { patterns }: Tools): boolean {
  const { minLength, maxLength, pattern } = schema
  if (minLength !== undefined || maxLength !== undefined) {
    const length = [...value].length
    if (length < (minLength ?? 0) || length > (maxLength ?? length)) return false
  }
  return pattern === undefined || patterns.get(pattern).test(value)
}

function acceptsSameInstance(
  schema: SchemaObject,
  value: unknown,
  looked: Looked,
  tools: Tools
): boolean {
  const all = [...(schema.allOf ?? [])]
  if (schema.$ref !== undefined) all.push(tools.view.resolve(schema.$ref))
  for (const [name, one] of Object.entries(schema.dependentSchemas ?? {})) {
    if (isObject(value) && Object.hasOwn(value, name)) all.push(one)
  }
  if (schema.if !== undefined) {
    const condition = look(schema.if, value, tools)
    if (condition !== undefined) join(looked, condition)
    all.push((condition === undefined ? schema.else : schema.then) ?? true)
  }
  for (const one of all) {
    const result = look(one, value, tools)
    if (result === undefined) return false
    join(looked, result)
  }
  if (schema.not !== undefined && look(schema.not, value, tools) !== undefined) return false
  if (schema.anyOf !== undefined && meet(schema.anyOf, value, looked, tools) === 0) return false
  return schema.oneOf === undefined || meet(schema.oneOf, value, looked, tools) === 1
}

function meet(schemas: JsonSchema[], value: unknown, looked: Looked, tools: Tools): number {
  let count = 0
  for (const schema of schemas) {
    const result = look(schema, value, tools)
    if (result === undefined) continue
    count += 1
    join(looked, result)
  }
  return count
}

function join(looked: Looked, more: Looked): void {
  for (const one of more) looked.add(one)
}

function lookAtItems(
  schema: SchemaObject,
  value: unknown[],
  looked: Looked,
  tools: Tools
): boolean {
  if (value.length < (schema.minItems ?? 0)) return false
  if (value.length > (schema.maxItems ?? value.length)) return false
  if (schema.uniqueItems === true && findEqual(value) !== undefined) return false
  const prefix = schema.prefixItems ?? []
  for (const [index, item] of value.entries()) {
    const own = index < prefix.length ? prefix[index] : schema.items
    if (own === undefined) continue
    if (look(own, item, tools) === undefined) return false
    looked.add(index)
  }
  if (!isContained(schema, value, looked, tools)) return false
  return lookAtRest(schema.unevaluatedItems, Object.entries(value), looked, tools, Number)
}

function isContained(
  schema: SchemaObject,
  value: unknown[],
  looked: Looked,
  tools: Tools
): boolean {
  const { contains, minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema
  if (contains === undefined) return true
  let count = 0
  for (const [index, item] of value.entries()) {
    if (look(contains, item, tools) === undefined) continue
    count += 1
    looked.add(index)
  }
  return count >= minContains && count <= maxContains
}

function lookAtProperties(
  schema: SchemaObject,
  value: Record<string, unknown>,
  looked: Looked,
  tools: Tools
): boolean {
  const names = Object.keys(value)
  if (names.length < (schema.minProperties ?? 0)) return false
  if (names.length > (schema.maxProperties ?? names.length)) return false
  if (schema.required?.some((name) => !Object.hasOwn(value, name))) return false
  for (const [name, needed] of Object.entries(schema.dependentRequired ?? {})) {
    if (!Object.hasOwn(value, name)) continue
    if (needed.some((one) => !Object.hasOwn(value, one))) return false
  }
  for (const name of names) {
    const { propertyNames } = schema
    if (propertyNames !== undefined && look(propertyNames, name, tools) === undefined) return false
    const schemas = propertySchemas(schema, name, tools)
    if (schemas.length > 0) looked.add(name)
    if (schemas.some((one) => look(one, value[name], tools) === undefined)) return false
  }
  return lookAtRest(schema.unevaluatedProperties, Object.entries(value), looked, tools, String)
}

function lookAtRest(
  rest: JsonSchema | undefined,
  entries: [string, unknown][],
  looked: Looked,
  tools: Tools,
  key: (name: string) => string | number
): boolean {
  if (rest === undefined) return true
  for (const [name, value] of entries) {
    if (looked.has(key(name))) continue
    if (look(rest, value, tools) === undefined) return false
    looked.add(key(name))
  }
  return true
}

/** Schemas of one property; empty if the schema does not describe it. */
export function propertySchemas(
  schema: SchemaObject,
  name: string,
  tools: Pick<Tools, 'patterns'>
): JsonSchema[] {
  const found: JsonSchema[] = []
  const named = own(schema.properties, name)
  if (named !== undefined) found.push(named)
  for (const [pattern, one] of Object.entries(schema.patternProperties ?? {})) {
    if (tools.patterns.get(pattern).test(name)) found.push(one)
  }
  if (found.length === 0 && schema.additionalProperties !== undefined) {
    found.push(schema.additionalProperties)
  }
  return found
}
