import type { JsonSchema, SchemaObject, TypeName } from '../schema/json-schema.ts'
import { typesOf } from '../schema/json-schema.ts'
import type { GenerationContext } from './work.ts'

const ALL_TYPES: readonly TypeName[] = ['string', 'number', 'boolean', 'null', 'array', 'object']
const MAX_HOPS = 16

/** Schemas that violate a keyword, by keyword. */
const OPPOSITES: Readonly<Record<string, (bound: number) => SchemaObject>> = {
  minimum: (bound) => ({ type: 'number', exclusiveMaximum: bound }),
  maximum: (bound) => ({ type: 'number', exclusiveMinimum: bound }),
  exclusiveMinimum: (bound) => ({ type: 'number', maximum: bound }),
  exclusiveMaximum: (bound) => ({ type: 'number', minimum: bound }),
  minLength: (bound) => ({ type: 'string', maxLength: bound - 1 }),
  maxLength: (bound) => ({ type: 'string', minLength: bound + 1 }),
  minItems: (bound) => ({ type: 'array', maxItems: bound - 1 }),
  maxItems: (bound) => ({ type: 'array', minItems: bound + 1 }),
  minProperties: (bound) => ({ type: 'object', maxProperties: bound - 1 }),
  maxProperties: (bound) => ({ type: 'object', minProperties: bound + 1 })
}

/** A bound of 0 of these keywords cannot be violated. */
const SIZES = ['minLength', 'minItems', 'minProperties']

/**
 * Returns schemas; a value of any of them violates the given schema. Where only a check can decide
 * (pattern, format), the schema states only the type, and a later check decides.
 */
export function negate(schema: JsonSchema, work: GenerationContext, hops = 0): JsonSchema[] {
  if (typeof schema === 'boolean') return schema ? [] : [true]
  if (hops > MAX_HOPS) return []
  work.spend(1)
  const found: JsonSchema[] = []
  const types = typesOf(schema)
  if (types !== undefined) found.push(...otherTypes(types))
  if (schema.const !== undefined || schema.enum !== undefined) found.push(true)
  for (const [keyword, opposite] of Object.entries(OPPOSITES)) {
    const bound = schema[keyword as keyof SchemaObject]
    const isCount = SIZES.includes(keyword)
    if (typeof bound === 'number' && !(isCount && bound === 0)) found.push(opposite(bound))
  }
  if (schema.multipleOf !== undefined) found.push({ type: 'number' })
  if (schema.pattern !== undefined || schema.format !== undefined) found.push({ type: 'string' })
  found.push(...failObject(schema), ...failArray(schema))
  if (schema.$ref !== undefined) {
    found.push(...negate(work.view.resolve(schema.$ref), work, hops + 1))
  }
  for (const one of schema.allOf ?? []) found.push(...negate(one, work, hops + 1))
  if (schema.anyOf !== undefined) found.push(noneOf(schema.anyOf))
  if (schema.oneOf !== undefined) found.push(noneOf(schema.oneOf))
  if (schema.not !== undefined) found.push(schema.not)
  if (schema.if !== undefined) {
    if (schema.then !== undefined) found.push({ allOf: [schema.if, { not: schema.then }] })
    if (schema.else !== undefined) found.push(noneOf([schema.if, schema.else]))
  }
  return found
}

function noneOf(schemas: readonly JsonSchema[]): JsonSchema {
  return { allOf: schemas.map((one) => ({ not: one })) }
}

function otherTypes(types: readonly TypeName[]): JsonSchema[] {
  const others = ALL_TYPES.filter((type) => !types.includes(type))
  if (!types.includes('integer')) return others.length === 0 ? [] : [{ type: [...others] }]
  const rest = others.filter((type) => type !== 'number')
  const fractions: JsonSchema[] = types.includes('number') ? [] : [{ type: 'number' }]
  return [...(rest.length === 0 ? [] : [{ type: [...rest] }]), ...fractions]
}

function failObject(schema: SchemaObject): JsonSchema[] {
  const found: JsonSchema[] = []
  for (const name of schema.required ?? []) {
    found.push({ type: 'object', properties: { [name]: false } })
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property === true) continue
    found.push({ type: 'object', required: [name], properties: { [name]: { not: property } } })
  }
  for (const keyword of ['additionalProperties', 'unevaluatedProperties'] as const) {
    const extra = schema[keyword]
    if (extra === undefined || extra === true) continue
    const name = freeName(schema)
    found.push({ type: 'object', required: [name], properties: { [name]: { not: extra } } })
  }
  for (const [name, needed] of Object.entries(schema.dependentRequired ?? {})) {
    for (const one of needed) {
      found.push({ type: 'object', required: [name], properties: { [one]: false } })
    }
  }
  if (schema.propertyNames !== undefined) found.push({ type: 'object', minProperties: 1 })
  return found
}

function freeName(schema: SchemaObject): string {
  let name = 'other'
  while (Object.hasOwn(schema.properties ?? {}, name)) name += 'r'
  return name
}

function failArray(schema: SchemaObject): JsonSchema[] {
  const found: JsonSchema[] = []
  if (schema.items !== undefined && schema.items !== true) {
    const before = schema.prefixItems?.length ?? 0
    const prefixItems = [...Array(before).fill(true), { not: schema.items }]
    found.push({ type: 'array', minItems: before + 1, prefixItems })
  }
  for (const [index, item] of (schema.prefixItems ?? []).entries()) {
    if (item === true) continue
    const prefixItems = [...Array(index).fill(true), { not: item }]
    found.push({ type: 'array', minItems: index + 1, prefixItems })
  }
  if (schema.contains !== undefined) {
    found.push({ type: 'array', items: { not: schema.contains } })
  }
  if (schema.uniqueItems === true) found.push({ type: 'array', minItems: 2 })
  return found
}
