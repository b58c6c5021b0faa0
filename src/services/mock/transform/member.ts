import type { Json, JsonObject } from '../document/json.ts'

/** A copy with one member added or replaced; `__proto__` is an ordinary name. */
export function withMember(object: JsonObject, name: string, value: Json): JsonObject {
  if (name !== '__proto__') return { ...object, [name]: value }
  return Object.fromEntries([
    ...Object.entries(object).filter(([key]) => key !== name),
    [name, value]
  ])
}

/** The index that a token denotes in an array of this length; undefined if it is not one. */
export function indexOf(token: string, length: number): number | undefined {
  const index = /^(?:0|[1-9]\d{0,9})$/.test(token) ? Number(token) : length
  return index < length ? index : undefined
}
