import type { Json, JsonObject } from '../document/json.ts'

/** A copy with one member more or another; `__proto__` is a name like any other. */
export function withMember(object: JsonObject, name: string, value: Json): JsonObject {
  if (name !== '__proto__') return { ...object, [name]: value }
  return Object.fromEntries([
    ...Object.entries(object).filter(([key]) => key !== name),
    [name, value]
  ])
}

/** Where a token points to in a list of this length; nothing when it is no index of it. */
export function indexOf(token: string, length: number): number | undefined {
  const index = /^(?:0|[1-9]\d{0,9})$/.test(token) ? Number(token) : length
  return index < length ? index : undefined
}
