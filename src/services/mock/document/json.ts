import { isObject, type Json, type JsonObject, memberOf } from '../../../kernel/json.ts'

export { isObject, type Json, type JsonObject, memberOf }

export function objectAt(object: Json | undefined, name: string): JsonObject {
  const value = memberOf(object, name)
  return isObject(value) ? value : {}
}

export function arrayAt(object: Json | undefined, name: string): Json[] {
  const value = memberOf(object, name)
  return Array.isArray(value) ? value : []
}

export function stringAt(object: Json | undefined, name: string): string | undefined {
  const value = memberOf(object, name)
  return typeof value === 'string' ? value : undefined
}

/** Returns a copy without some members; `fromEntries` also keeps a member named `__proto__`. */
export function without(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

export function mapMembers(
  object: JsonObject,
  change: (value: Json, name: string) => Json
): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, change(value, name)])
  )
}
