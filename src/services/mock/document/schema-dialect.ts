import { arrayAt, type Json, type JsonObject, without } from './json.ts'

/** Members beside a reference that do not restrict values. */
const ANNOTATIONS = ['$ref', 'description', 'summary', 'title', 'example', 'deprecated']
const COMBINERS = ['allOf', 'anyOf', 'oneOf']

/** Converts one schema of OpenAPI 2 or 3.0 to JSON Schema 2020-12, after its subschemas. */
export function convertSchema(schema: JsonObject): JsonObject {
  if (typeof schema.$ref === 'string') return convertReference(schema)
  const converted = { ...schema }
  convertBounds(converted)
  convertTuple(converted)
  convertDiscriminator(converted)
  convertNames(converted)
  return convertNullable(converted)
}

/** Before 3.1, members beside `$ref` had no meaning. */
function convertReference(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(
    ([name]) => ANNOTATIONS.includes(name) || name.startsWith('x-')
  )
  const reference = Object.fromEntries(kept)
  return isNullable(schema) ? { anyOf: [reference, { type: 'null' }] } : reference
}

function convertBounds(schema: JsonObject): void {
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum']
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue
    const isExclusive = schema[exclusive] && typeof schema[bound] === 'number'
    delete schema[exclusive]
    if (!isExclusive) continue
    schema[exclusive] = schema[bound] ?? null
    delete schema[bound]
  }
}

/** Converts tuples of draft 4. */
function convertTuple(schema: JsonObject): void {
  if (!Array.isArray(schema.items)) return
  schema.prefixItems = schema.items
  delete schema.items
  if (schema.additionalItems !== undefined) schema.items = schema.additionalItems
  delete schema.additionalItems
}

function convertDiscriminator(schema: JsonObject): void {
  const { discriminator } = schema
  if (typeof discriminator === 'string') schema.discriminator = { propertyName: discriminator }
}

function convertNames(schema: JsonObject): void {
  if (schema.type === 'file') {
    schema.type = 'string'
    schema.format = 'binary'
  }
  // In draft 3, `required` was a boolean of the property.
  if (typeof schema.required === 'boolean') delete schema.required
  if (schema.example === undefined && schema['x-example'] !== undefined) {
    schema.example = schema['x-example']
  }
  if (schema['x-deprecated'] === true) schema.deprecated = true
}

function isNullable(schema: JsonObject): boolean {
  return schema.nullable === true || schema['x-nullable'] === true
}

function convertNullable(schema: JsonObject): JsonObject {
  if (!isNullable(schema)) return without(schema, 'nullable', 'x-nullable')
  const { type, ...rest } = without(schema, 'nullable', 'x-nullable')
  if (typeof type === 'string' || Array.isArray(type)) {
    const types = Array.isArray(type) ? type : [type]
    const all: Json[] = types.includes('null') ? types : [...types, 'null']
    const values = arrayAt(schema, 'enum')
    const isClosed = values.length > 0 && !values.includes(null)
    return { ...rest, type: all, ...(isClosed ? { enum: [...values, null] } : {}) }
  }
  // By OpenAPI 3.0, `nullable` has no effect without a type, but authors expect one with combiners.
  if (COMBINERS.some((name) => schema[name] !== undefined)) {
    const { discriminator, ...others } = rest
    const inner = discriminator === undefined ? others : rest
    return { anyOf: [inner, { type: 'null' }] }
  }
  return rest
}
