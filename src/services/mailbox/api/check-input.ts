import { createRequire } from 'node:module'
import type { ErrorObject, ValidateFunction } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { createAjv } from '../../../kernel/ajv.ts'
import { isObject } from '../../../kernel/json.ts'
import type { InvalidField } from '../contract.ts'

/** More errors than this are not shown. */
const MAX_SHOWN = 100
const MAX_KEY_LENGTH = 100
const EMPTY = { type: 'object', properties: {}, additionalProperties: false }

const require = createRequire(import.meta.url)
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
  const wrapped = wrapSingles(rules, value)
  const check = compiled.get(rules) ?? compile(rules)
  if (check(wrapped)) return wrapped
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
  const formats: typeof import('ajv-formats') = require('ajv-formats')
  // Patterns are ours; those of clients are never compiled.
  const opened = createAjv((source) => new RegExp(source, 'u'), {
    allErrors: true,
    // For `messages` of the schema.
    verbose: true,
    coerceTypes: true,
    useDefaults: true
  })
  formats.default(opened, ['date-time'])
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
  readonly properties?: Readonly<Record<string, SchemaPart>>
  readonly anyOf?: readonly SchemaPart[]
}

/** Schemas are ours and not deep. */
function wrapSingles(schema: SchemaPart, value: unknown): unknown {
  const { type, items, properties, anyOf } = schema
  if (type === 'array' && items !== undefined) {
    const values: unknown[] = Array.isArray(value) ? value : [value]
    return values.map((one) => wrapSingles(items, one))
  }
  if (anyOf !== undefined) {
    const fitting = anyOf.find(
      ({ type: own }) => own === (isObject(value) ? 'object' : typeof value)
    )
    return fitting === undefined ? value : wrapSingles(fitting, value)
  }
  if (properties === undefined || !isObject(value)) return value
  const entries = Object.entries(value).map(([key, one]) => {
    const part = Object.hasOwn(properties, key) ? properties[key] : undefined
    return [key, part === undefined ? one : wrapSingles(part, one)]
  })
  return Object.fromEntries(entries)
}

/** Errors of alternatives follow those of their parts, which say more. */
function isShown({ keyword }: ErrorObject): boolean {
  return keyword !== 'anyOf' && keyword !== 'oneOf' && keyword !== 'if'
}

function fieldOf(error: ErrorObject): InvalidField {
  const { instancePath, keyword, params, parentSchema, message = '' } = error
  const path = instancePath.split('/').slice(1).map(unescapeSegment)
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

function unescapeSegment(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}
