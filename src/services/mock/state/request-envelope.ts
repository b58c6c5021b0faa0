import { isObject, type Json } from '../document/json.ts'
import type { Collection } from './collection.ts'

/** The record in a body such as `{"project":{"name":"Pond"}}`; any other body unchanged. */
export function openEnvelope({ properties }: Collection, body: unknown): unknown {
  if (!isObject(body) || properties.size === 0) return body
  const isKnown = (name: string) => properties.has(name)
  const members = Object.values(body)
  if (Object.keys(body).some(isKnown)) return body
  const inner = members.filter((one: Json) => isObject(one) && Object.keys(one).some(isKnown))
  return inner.length === 1 ? inner[0] : body
}
