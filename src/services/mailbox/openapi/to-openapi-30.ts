import { isObject } from '../../../kernel/json.ts'

/** Keywords of JSON Schema that OpenAPI 3.0 lacks and that only say more about valid values. */
const DROPPED: readonly string[] = ['propertyNames']
/** Keywords with one schema, and with several. */
const NESTED: readonly string[] = ['items', 'additionalProperties', 'not']
const ALTERNATIVES: readonly string[] = ['anyOf', 'oneOf', 'allOf']
const NULL = { type: 'object', nullable: true, enum: [null] }

/** The document for clients that read OpenAPI 3.0, as EmailEngine publishes it. */
export function toOpenapi30(document: object): object {
  // OpenAPI 3.0 has no webhooks.
  const { webhooks: _, ...parts } = Object(document)
  return { ...(convertParts(parts) as object), openapi: '3.0.3' }
}

/** All but schemas is the same in both versions, as far as the document uses it. */
function convertParts(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(convertParts)
  if (!isObject(part)) return part
  const entries = Object.entries(part).map(([key, value]) => {
    if (key === 'schema') return [key, convertSchema(value)]
    return [key, key === 'schemas' ? convertEach(value) : convertParts(value)]
  })
  return Object.fromEntries(entries)
}

function convertEach(schemas: unknown): unknown {
  const entries = Object.entries(Object(schemas)).map(([name, one]) => [name, convertSchema(one)])
  return Object.fromEntries(entries)
}

function convertSchema(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const entries = Object.entries(schema)
    .filter(([keyword]) => !DROPPED.includes(keyword))
    .flatMap(([keyword, value]) => convertKeyword(keyword, value))
  const converted = Object.fromEntries(entries)
  const { type, anyOf } = schema
  if (!Array.isArray(type)) return converted
  const types = type.filter((one) => one !== 'null')
  const nullable = types.length < type.length ? { nullable: true } : {}
  const [only] = types
  if (types.length === 1) return { type: only, ...nullable, ...converted }
  const either = { anyOf: types.map((one) => ({ type: one, ...nullable })) }
  return anyOf === undefined ? { ...converted, ...either } : { allOf: [converted, either] }
}

function convertKeyword(keyword: string, value: unknown): [string, unknown][] {
  if (keyword === 'type' && Array.isArray(value)) return []
  if (keyword === 'const') return [['enum', [value]]]
  if (keyword === 'properties') return [[keyword, convertEach(value)]]
  if (NESTED.includes(keyword)) return [[keyword, convertSchema(value)]]
  if (ALTERNATIVES.includes(keyword) && Array.isArray(value)) {
    return [[keyword, value.map((one) => (isNull(one) ? NULL : convertSchema(one)))]]
  }
  return [[keyword, value]]
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && schema.type === 'null'
}
