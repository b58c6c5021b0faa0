import type { Ajv2020 } from 'ajv/dist/2020.js'
import { isObject } from './json.ts'

/** Equal texts for equal values, whatever the order of their properties. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'undefined'
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`
}

export function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other
  return canonical(one) === canonical(other)
}

/** The places of the first two equal values, the later one first. */
export function findEqual(values: readonly unknown[]): [number, number] | undefined {
  const seen = new Map<unknown, number>()
  for (const [index, value] of values.entries()) {
    // A text in a pair of quotes never equals the canonical text of an object or list.
    const key = typeof value === 'object' ? canonical(value) : JSON.stringify(value)
    const before = seen.get(key)
    if (before !== undefined) return [index, before]
    seen.set(key, index)
  }
  return undefined
}

/** Whether a value is in a list, with one look-up for texts and numbers. */
function createMembership(list: readonly unknown[]): (value: unknown) => boolean {
  const scalars = new Set(list.filter((value) => typeof value !== 'object'))
  const others = new Set(list.filter((value) => typeof value === 'object').map(canonical))
  return (value) =>
    typeof value === 'object' ? others.size > 0 && others.has(canonical(value)) : scalars.has(value)
}

type Check = ((value: unknown) => boolean) & { errors?: object[] }

function withError(check: Check, error: () => object): Check {
  const checked: Check = (value) => {
    if (check(value)) return true
    checked.errors = [error()]
    return false
  }
  return checked
}

/**
 * Ajv's own comparison calls `toString` and `constructor` of the values, which a body may bring
 * along as properties, and compares every item with every other.
 */
export function addEquality(ajv: Ajv2020): void {
  for (const keyword of ['const', 'enum', 'uniqueItems']) ajv.removeKeyword(keyword)
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
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    compile: compileUnique
  })
}

function compileUnique(unique: boolean): Check {
  if (!unique) return () => true
  let found: [number, number] | undefined
  const check = (value: unknown) => {
    found = findEqual(value as unknown[])
    return found === undefined
  }
  return withError(check, () => {
    const [i = 0, j = 0] = found ?? []
    return {
      keyword: 'uniqueItems',
      message: `must NOT have duplicate items (items ## ${j} and ${i} are identical)`,
      params: { i, j }
    }
  })
}
