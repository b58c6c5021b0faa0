import { isObject, type Json, type JsonObject } from '../json.ts'

const OLD_HOME = '#/definitions/'
const NEW_HOME = '#/components/schemas/'

/** Rewrites references to schemas; parameters and responses are converted where they are used. */
export function moveReferences(document: JsonObject): JsonObject {
  const moved = move(document)
  return isObject(moved) ? moved : document
}

function move(value: Json): Json {
  if (Array.isArray(value)) return value.map(move)
  if (!isObject(value)) {
    return typeof value === 'string' && value.startsWith(OLD_HOME)
      ? NEW_HOME + value.slice(OLD_HOME.length)
      : value
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, move(member)]))
}
