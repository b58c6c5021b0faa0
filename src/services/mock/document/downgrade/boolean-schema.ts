import { isObject, type Json, type JsonObject, mapMembers } from '../json.ts'
import type { ObjectKind } from '../openapi-structure.ts'

const ONE = ['items', 'not', 'if', 'then', 'else', 'contains', 'propertyNames', 'contentSchema']
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const MAPS = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']

/** OpenAPI 3.0 allows `true` and `false` as schemas only in `additionalProperties`. */
export function withSchemaObjects(kind: ObjectKind, node: JsonObject): JsonObject {
  if (kind === 'components') return mapSome(node, ['schemas'], mapOf)
  if (kind === 'mediaType' || kind === 'parameter' || kind === 'header') {
    return mapSome(node, ['schema'], asObject)
  }
  if (kind !== 'schema') return node
  const lists = mapSome(node, LISTS, (value) =>
    Array.isArray(value) ? value.map(asObject) : value
  )
  return mapSome(mapSome(lists, ONE, asObject), MAPS, mapOf)
}

/** Whether no value is valid for the schema. */
export function isNever(schema: Json | undefined): boolean {
  if (schema === false) return true
  if (!isObject(schema)) return false
  const { not, ...rest } = schema
  return isObject(not) && Object.keys(not).length === 0 && Object.keys(rest).length === 0
}

function asObject(schema: Json): Json {
  if (schema === true) return {}
  return schema === false ? { not: {} } : schema
}

function mapOf(value: Json): Json {
  return isObject(value) ? mapMembers(value, asObject) : value
}

function mapSome(
  node: JsonObject,
  names: readonly string[],
  change: (value: Json) => Json
): JsonObject {
  return mapMembers(node, (value, name) => (names.includes(name) ? change(value) : value))
}
