import type { ParseContext } from './context.ts'
import { arrayOf, idOf, isObject, type JsonObject } from './values.ts'

/** A reason to leave an object out. */
export interface Rejected {
  readonly rejected: string
}

export interface ObjectRules<T> {
  /** What the objects are called in the report, such as `lists`. */
  readonly what: string
  /** More are left out. */
  readonly max?: number
  /** `index` counts the objects of the array. */
  readonly parse: (object: JsonObject, id: string, index: number) => T | Rejected
}

/** The objects of an array, each with an id that the file has once; others are counted. */
export function* parseObjects<T extends object>(
  value: unknown,
  { what, max = Number.POSITIVE_INFINITY, parse }: ObjectRules<T>,
  { idFor, seen, skipped }: ParseContext
): Generator<T> {
  let count = 0
  for (const [index, object] of arrayOf(value).entries()) {
    const own = isObject(object) ? idOf(object.id) : undefined
    if (!isObject(object) || own === undefined) {
      skipped.add(`${what} without an id of 24 hexadecimal digits`, `number ${index + 1}`)
    } else if (seen.has(own)) skipped.add(`${what} whose id the file has twice`, own)
    else if (count >= max) skipped.add(`${what} above the limit of ${max}`, own)
    else {
      seen.add(own)
      const parsed = parse(object, idFor(own), index)
      if ('rejected' in parsed) skipped.add(`${what} ${(parsed as Rejected).rejected}`, own)
      else {
        count++
        yield parsed as T
      }
    }
  }
}
