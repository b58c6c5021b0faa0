import { isObject } from '../../../kernel/json.ts'

/**
 * Checks the value of a keyword. An invalid keyword is left out of the view and reported, so that
 * one mistake does not disable the whole schema.
 */
type Shape = (value: unknown) => string | undefined

const TYPE_NAMES = new Set(['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'])

const number: Shape = (value) => (Number.isFinite(value) ? undefined : 'must be a number')
const positive: Shape = (value) =>
  Number.isFinite(value) && (value as number) > 0 ? undefined : 'must be a number above 0'
const count: Shape = (value) =>
  Number.isInteger(value) && (value as number) >= 0
    ? undefined
    : 'must be a whole number, 0 or greater'
const boolean: Shape = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false')
const string: Shape = (value) => (typeof value === 'string' ? undefined : 'must be a string')
const names: Shape = (value) => (isNames(value) ? undefined : 'must be an array of strings')
const values: Shape = (value) =>
  Array.isArray(value) && value.length > 0 ? undefined : 'must be an array with at least one value'
const type: Shape = (value) => {
  const list = Array.isArray(value) ? value : [value]
  if (list.length === 0) return 'must name at least one type'
  const unknown = list.find((name) => typeof name !== 'string' || !TYPE_NAMES.has(name))
  return unknown === undefined ? undefined : `names the unknown type ${JSON.stringify(unknown)}`
}
const nameLists: Shape = (value) =>
  isObject(value) && Object.values(value).every(isNames)
    ? undefined
    : 'must be an object of arrays of strings'
const discriminator: Shape = (value) =>
  isObject(value) &&
  typeof value.propertyName === 'string' &&
  (value.mapping === undefined ||
    (isObject(value.mapping) && Object.values(value.mapping).every((to) => typeof to === 'string')))
    ? undefined
    : 'must be an object with propertyName and, if any, a mapping of strings'

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

export function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isObject(value)
}

export const SHAPES: ReadonlyMap<string, Shape> = new Map([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map(
    (keyword) => [keyword, number] as const
  ),
  ['multipleOf', positive],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(
    (keyword) => [keyword, count] as const
  ),
  ['minContains', count],
  ['maxContains', count],
  ['uniqueItems', boolean],
  ['pattern', string],
  ['format', string],
  ['required', names],
  ['enum', values],
  ['type', type],
  ['dependentRequired', nameLists],
  ['discriminator', discriminator]
])

/** Keywords that contain one schema, an array of schemas, or schemas by name. */
export const ONE_SCHEMA = new Set([
  ...['items', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'],
  ...['unevaluatedItems', 'unevaluatedProperties']
])
export const SCHEMA_LIST = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
export const SCHEMA_MAP = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/** Keywords whose schemas apply to the same value as the schema that contains them. */
export const SAME_INSTANCE_APPLICATORS = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']
])

/**
 * Keywords of other drafts, and keywords that give a part of the document its own URL, which is not
 * needed because references are already internal pointers.
 */
export const FOREIGN = new Set([
  ...['$id', 'id', '$schema', '$vocabulary', '$anchor', '$dynamicAnchor', '$defs', 'definitions'],
  ...['$recursiveRef', '$recursiveAnchor', 'dependencies', 'additionalItems', 'nullable']
])
