import { createRequire } from 'node:module'
import type { Ajv2020, Options } from 'ajv/dist/2020.js'
import { canonical, findEqual } from './json-equality.ts'

const require = createRequire(import.meta.url)

export interface UniqueItemsOptions {
  /** Gets the canonical string of each item before it is compared; its errors are not caught. */
  readonly onItem?: (item: string) => void
  /** Whether message and parameters of an error name the indexes of the two equal items. */
  readonly namesItems?: boolean
}

export interface ConstAndEnumOptions {
  /** Gets the canonical string of each compared object or array; its errors are not caught. */
  readonly onObject?: (text: string) => void
  /** Whether a schema with an empty `enum`, which no value matches, is an error. */
  readonly rejectsEmptyEnum?: boolean
}

interface Pattern {
  test: (text: string) => boolean
  toString: () => string
}

type Check = ((value: unknown) => boolean) & { errors?: object[] }

/**
 * For schemas of our own, which unit tests check: to compile the schema of schemas, and to optimise
 * what is compiled, takes more CPU than the requests of most processes.
 */
export const OWN_SCHEMAS: Options = {
  validateSchema: false,
  meta: false,
  code: { optimize: false }
}

/**
 * Ajv for schemas and values of clients. Loading it takes a tenth of a second, so it is loaded with
 * the first schema. The pattern engine is a parameter, because Ajv's default can take exponential
 * time. Ajv treats two patterns as one if their `toString` is equal.
 */
export function createAjv(compilePattern: (source: string) => Pattern, options: Options): Ajv2020 {
  const module: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js')
  // `code` is used only to write a validator to a file.
  const regExp = Object.assign((source: string) => compilePattern(source), { code: 'undefined' })
  return new module.Ajv2020({
    strict: false,
    inlineRefs: false,
    // Inherited properties such as `constructor` do not count.
    ownProperties: true,
    logger: false,
    ...options,
    code: { ...options.code, regExp }
  })
}

/** Replaces Ajv's check, which compares all pairs of items, by one that takes linear time. */
export function addUniqueItems(ajv: Ajv2020, options: UniqueItemsOptions): void {
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    compile: (isUnique: boolean) => (isUnique ? createUniqueCheck(options) : () => true)
  })
}

/**
 * Replaces Ajv's comparison, which calls `valueOf`, `toString` and `constructor` of the values: a
 * body may have properties of these names.
 */
export function addConstAndEnum(ajv: Ajv2020, options: ConstAndEnumOptions = {}): void {
  const { onObject, rejectsEmptyEnum = false } = options
  for (const keyword of ['const', 'enum']) ajv.removeKeyword(keyword)
  ajv.addKeyword({
    keyword: 'const',
    compile: (allowedValue: unknown) =>
      withError(createMembership([allowedValue], onObject), () => ({
        keyword: 'const',
        message: 'must be equal to constant',
        params: { allowedValue }
      }))
  })
  ajv.addKeyword({
    keyword: 'enum',
    schemaType: 'array',
    compile(allowedValues: unknown[]) {
      if (rejectsEmptyEnum && allowedValues.length === 0) {
        throw new Error('enum must have non-empty array')
      }
      return withError(createMembership(allowedValues, onObject), () => ({
        keyword: 'enum',
        message: 'must be equal to one of the allowed values',
        params: { allowedValues }
      }))
    }
  })
}

function createUniqueCheck({ onItem, namesItems = false }: UniqueItemsOptions): Check {
  let found: [number, number] | undefined
  const check = (value: unknown) => {
    found = findEqual(value as unknown[], onItem)
    return found === undefined
  }
  if (!namesItems) return check
  return withError(check, () => {
    const [i = 0, j = 0] = found ?? []
    return {
      keyword: 'uniqueItems',
      message: `must NOT have duplicate items (items ## ${j} and ${i} are identical)`,
      params: { i, j }
    }
  })
}

/** Returns a test whether a value is in the array; strings and numbers take one look-up. */
function createMembership(
  values: readonly unknown[],
  onObject: ConstAndEnumOptions['onObject']
): (value: unknown) => boolean {
  const scalars = new Set(values.filter((value) => typeof value !== 'object'))
  const others = new Set(values.filter((value) => typeof value === 'object').map(canonical))
  return (value) => {
    if (typeof value !== 'object') return scalars.has(value)
    if (others.size === 0) return false
    const text = canonical(value)
    onObject?.(text)
    return others.has(text)
  }
}

/** Each error is in a new array, because Ajv keeps the array and appends to it. */
function withError(check: Check, error: () => object): Check {
  const checked: Check = (value) => {
    if (check(value)) return true
    checked.errors = [error()]
    return false
  }
  return checked
}
