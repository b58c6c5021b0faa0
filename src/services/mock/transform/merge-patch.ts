import { isObject, type Json, type JsonObject, memberOf } from '../document/json.ts'

/** RFC 7396: null removes, objects are gone into, all else replaces. Nothing is changed in place. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch
  const before: JsonObject = isObject(target) ? target : {}
  const kept = Object.entries(before).filter(([name]) => !Object.hasOwn(patch, name))
  const changed = new Map<string, Json>()
  for (const [name, value] of Object.entries(patch)) {
    if (value !== null) changed.set(name, mergePatch(memberOf(before, name), value))
  }
  if (kept.length === Object.keys(before).length) {
    return Object.fromEntries([...kept, ...changed])
  }
  // Members that were there keep their place.
  const entries: [string, Json][] = []
  for (const [name, value] of Object.entries(before)) {
    if (!Object.hasOwn(patch, name)) entries.push([name, value])
    else if (changed.has(name)) entries.push([name, changed.get(name) as Json])
    changed.delete(name)
  }
  return Object.fromEntries([...entries, ...changed])
}
