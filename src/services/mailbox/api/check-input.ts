import type { ErrorObject, ValidateFunction } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { createAjv, OWN_SCHEMAS } from '../../../kernel/ajv.ts'
import { isObject } from '../../../kernel/json.ts'
import { splitPointer } from '../../../kernel/json-pointer.ts'
import type { InvalidField } from '../contract.ts'
import { isDateTime } from './date-time.ts'

/** More errors than this are not shown. */
const MAX_SHOWN = 100
const MAX_KEY_LENGTH = 100
/** Of one object; more are one error, because Ajv would create one for each. */
const MAX_UNKNOWN_KEYS = 20
const EMPTY = { type: 'object', properties: {}, additionalProperties: false }

let ajv: Ajv2020 | undefined
const compiled = new WeakMap<object, ValidateFunction>()

/**
 * Checks a query or a body by the schema of its route, converts numbers and booleans, and wraps
 * single values where an array is expected. All that is wrong is added to `problems`.
 */
export function checkInput(
  schema: object | undefined,
  value: unknown,
  problems: InvalidField[]
): unknown {
  const rules = schema ?? EMPTY
  const oversized: InvalidField[] = []
  const prepared = prepare(rules, value, { path: [], oversized })
  if (oversized.length > 0) {
    problems.push(...oversized.slice(0, MAX_SHOWN))
    return undefined
  }
  const check = compiled.get(rules) ?? compile(rules)
  if (check(prepared)) return prepared
  problems.push(...(check.errors ?? []).filter(isShown).slice(0, MAX_SHOWN).map(fieldOf))
  return undefined
}

function compile(schema: object): ValidateFunction {
  ajv ??= open()
  const check = ajv.compile(schema)
  compiled.set(schema, check)
  return check
}

function open(): Ajv2020 {
  // Patterns of clients are never compiled, so they need no limit.
  const opened = createAjv((source) => new RegExp(source, 'u'), {
    ...OWN_SCHEMAS,
    allErrors: true,
    // For `messages` of the schema.
    verbose: true,
    coerceTypes: true,
    useDefaults: true
  })
  opened.addFormat('date-time', isDateTime)
  opened.addKeyword({
    keyword: 'notOffered',
    schemaType: 'string',
    error: { message: ({ schema }) => String(schema) },
    validate: () => false
  })
  return opened
}

interface SchemaPart {
  readonly type?: unknown
  readonly items?: SchemaPart
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, SchemaPart>>
  readonly maxProperties?: number
  readonly additionalProperties?: SchemaPart | false
}

/** Where a value is, and what has more items or keys than its schema allows. */
interface Position {
  readonly path: readonly string[]
  readonly oversized: InvalidField[]
}

/**
 * Wraps single values where an array is expected. Ajv would convert null to false, zero or an empty
 * text; what stands for it here is not converted. Recursion is safe, because our schemas are not
 * deep. What has too many items or keys is not looked into.
 */
function prepare(schema: SchemaPart, value: unknown, position: Position): unknown {
  const { type, items, properties = {}, additionalProperties: others = false } = schema
  const isNull = value === null && allowsNull(type)
  if (items !== undefined && isArrayType(type) && !isNull) {
    const values: unknown[] = Array.isArray(value) ? value : [value]
    if (isOversized(schema, values, position)) return value
    return values.map((one, index) => prepare(items, one, inside(position, index)))
  }
  if (value === null) return isNull ? null : []
  if (!isObject(value) || isOversized(schema, value, position)) return value
  const entries = Object.entries(value).map(([key, one]) => {
    const part = Object.hasOwn(properties, key) ? properties[key] : others || undefined
    return [key, part === undefined ? one : prepare(part, one, inside(position, key))]
  })
  return Object.fromEntries(entries)
}

function isArrayType(type: unknown): boolean {
  return type === 'array' || (Array.isArray(type) && type.includes('array'))
}

function inside({ path, oversized }: Position, key: string | number): Position {
  return { path: [...path, String(key)], oversized }
}

function isOversized(
  { maxItems, properties, maxProperties }: SchemaPart,
  value: object,
  { path, oversized }: Position
): boolean {
  const isArray = Array.isArray(value)
  const known = properties && Object.keys(properties).length + MAX_UNKNOWN_KEYS
  const most = (isArray ? maxItems : (maxProperties ?? known)) ?? Number.POSITIVE_INFINITY
  const count = isArray ? value.length : Object.keys(value).length
  if (count <= most) return false
  const message = `must NOT have more than ${most} ${isArray ? 'items' : 'properties'}`
  oversized.push({ key: keyOf(path), message })
  return true
}

/** A field without a type is one that is not offered, or has a list of values. */
function allowsNull(type: unknown): boolean {
  return type === undefined || (Array.isArray(type) && type.includes('null'))
}

/** Errors of alternatives follow those of their parts, which say more. */
function isShown({ keyword }: ErrorObject): boolean {
  return keyword !== 'anyOf' && keyword !== 'oneOf' && keyword !== 'if'
}

function fieldOf(error: ErrorObject): InvalidField {
  const { instancePath, keyword, params, parentSchema, message = '' } = error
  const path = splitPointer(instancePath)
  const ownMessage = parentSchema?.messages?.[keyword]
  if (typeof ownMessage === 'string') return { key: keyOf(path), message: ownMessage }
  if (keyword === 'additionalProperties') {
    return { key: keyOf([...path, String(params.additionalProperty)]), message: 'is not allowed' }
  }
  if (keyword === 'required') {
    return { key: keyOf([...path, String(params.missingProperty)]), message: 'is required' }
  }
  if (keyword === 'enum') {
    const values = (params.allowedValues as readonly unknown[]).join(', ')
    return { key: keyOf(path), message: `must be one of ${values}` }
  }
  return { key: keyOf(path), message }
}

function keyOf(path: readonly string[]): string {
  return path.join('.').slice(0, MAX_KEY_LENGTH).toWellFormed()
}
