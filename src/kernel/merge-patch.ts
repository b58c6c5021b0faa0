import { isObject, type Json, type JsonObject, memberOf } from './json.ts'

/** RFC 7396: null removes, objects are merged, other values replace. Arguments stay unchanged. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch
  const before: JsonObject = isObject(target) ? target : {}
  const names = Object.keys(patch)
  // Spread and assignment, which are faster, would set the prototype for this name.
  if (names.includes('__proto__') || Object.hasOwn(before, '__proto__')) {
    return mergeEntries(before, patch)
  }
  const merged = { ...before }
  for (const name of names) {
    const value = patch[name] as Json
    if (value === null) delete merged[name]
    else merged[name] = isObject(value) ? mergePatch(memberOf(before, name), value) : value
  }
  return merged
}

function mergeEntries(before: JsonObject, patch: JsonObject): Json {
  const entries = new Map(Object.entries(before))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) entries.delete(name)
    else entries.set(name, mergePatch(entries.get(name), value))
  }
  return Object.fromEntries(entries)
}
