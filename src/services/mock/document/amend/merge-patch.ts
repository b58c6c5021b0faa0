import { isObject, type Json, type JsonObject } from '../json.ts'
import { type Draft, put } from './draft.ts'
import type { Limits } from './limits.ts'

/** RFC 7396: what the patch has goes in, null takes away. */
export function applyMergePatch(patch: JsonObject, draft: Draft, limits: Limits): void {
  limits.put(limits.weigh(patch, 0))
  const root = draft.own([])
  if (isObject(root)) mergeMembers(root, patch, draft)
}

function mergeMembers(target: JsonObject, patch: JsonObject, draft: Draft): void {
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) {
      delete target[name]
      continue
    }
    const own = draft.ownMember(target, name)
    if (!isObject(value)) put(target, name, value)
    else if (isObject(own)) mergeMembers(own, value, draft)
    else put(target, name, withoutNulls(value))
  }
}

function withoutNulls(value: Json): Json {
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNulls(member)]))
}
