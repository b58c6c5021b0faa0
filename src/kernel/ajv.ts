import { createRequire } from 'node:module'
import type { Ajv2020, Options } from 'ajv/dist/2020.js'
import { canonical, findEqual } from './json-equality.ts'

const require = createRequire(import.meta.url)

export interface UniqueItemsOptions {
  /** Gets the canonical string of each item before it is compared; what it throws is passed on. */
  readonly onItem?: (item: string) => void
  /** Whether message and parameters of an error name the two equal items. */
  readonly namesItems?: boolean
}

interface Pattern {
  test: (text: string) => boolean
  toString: () => string
}

type Check = ((value: unknown) => boolean) & { errors?: object[] }

/**
 * Ajv for schemas and values of callers. It takes a tenth of a second to load, so it is loaded with
 * the first schema. The engine for patterns is a parameter, because Ajv's own can take exponential
 * time; Ajv takes two patterns for one if their `toString` is equal.
 */
export function createAjv(compilePattern: (source: string) => Pattern, options: Options): Ajv2020 {
  const module: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js')
  // The code would be needed only to write a validator to a file.
  const regExp = Object.assign((source: string) => compilePattern(source), { code: 'undefined' })
  return new module.Ajv2020({
    strict: false,
    inlineRefs: false,
    // A property named `constructor` is there only when the value has it itself.
    ownProperties: true,
    logger: false,
    ...options,
    code: { ...options.code, regExp }
  })
}

/** Ajv compares every item with every other; here the time grows with the length of the items. */
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
 * Ajv's own comparison calls `valueOf`, `toString` and `constructor` of the values, which a body may
 * bring along as properties.
 */
export function addConstAndEnum(ajv: Ajv2020): void {
  for (const keyword of ['const', 'enum']) ajv.removeKeyword(keyword)
  ajv.addKeyword({
    keyword: 'const',
    compile: (allowedValue: unknown) =>
      withError(createMembership([allowedValue]), () => ({
        keyword: 'const',
        message: 'must be equal to constant',
        params: { allowedValue }
      }))
  })
  ajv.addKeyword({
    keyword: 'enum',
    schemaType: 'array',
    compile: (allowedValues: unknown[]) =>
      withError(createMembership(allowedValues), () => ({
        keyword: 'enum',
        message: 'must be equal to one of the allowed values',
        params: { allowedValues }
      }))
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

/** Whether a value is in an array, with one look-up for strings and numbers. */
function createMembership(values: readonly unknown[]): (value: unknown) => boolean {
  const scalars = new Set(values.filter((value) => typeof value !== 'object'))
  const others = new Set(values.filter((value) => typeof value === 'object').map(canonical))
  return (value) =>
    typeof value === 'object' ? others.size > 0 && others.has(canonical(value)) : scalars.has(value)
}

/** Ajv takes over the array of errors and adds to it, so each error comes in a new one. */
function withError(check: Check, error: () => object): Check {
  const checked: Check = (value) => {
    if (check(value)) return true
    checked.errors = [error()]
    return false
  }
  return checked
}
