import { arrayAt, type Json, type JsonObject, without } from './json.ts'

/** What may stand beside a reference without saying anything about values. */
const ANNOTATIONS = ['$ref', 'description', 'summary', 'title', 'example', 'deprecated']
const COMBINERS = ['allOf', 'anyOf', 'oneOf']

/** One schema of OpenAPI 2 or 3.0, whose own schemas are converted, as JSON Schema 2020-12. */
export function convertSchema(schema: JsonObject): JsonObject {
  if (typeof schema.$ref === 'string') return convertReference(schema)
  const converted = { ...schema }
  convertBounds(converted)
  convertTuple(converted)
  convertDiscriminator(converted)
  convertNames(converted)
  return convertNullable(converted)
}

/** Before 3.1 whatever stood beside `$ref` had no meaning. */
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

/** Draft 4 tuples. */
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
  // Draft 3 said it on the property itself.
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
  // Without a type the word had no effect by the letter, but authors mean it.
  if (COMBINERS.some((name) => schema[name] !== undefined)) {
    const { discriminator, ...others } = rest
    const inner = discriminator === undefined ? others : rest
    return { anyOf: [inner, { type: 'null' }] }
  }
  return rest
}
