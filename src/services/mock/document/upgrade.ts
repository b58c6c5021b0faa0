import { StartFailure } from '../../../kernel/failures.ts'
import { type Json, type JsonObject, memberOf, textAt } from './json.ts'
import { convertSchema } from './schema-dialect.ts'
import { type Kind, mapChildren } from './shape.ts'
import { convertSwagger } from './swagger/convert.ts'

export const OPENAPI_VERSION = '3.1.1'

/** Every document becomes one of version 3.1; all that follows knows no other. */
export function upgrade(document: JsonObject, location: string): JsonObject {
  if (isSwagger(document)) return upgradeSchemas(convertSwagger(document))
  const version = versionOf(document, location)
  return isOlder(version) ? upgradeSchemas(document) : { ...document, openapi: version }
}

export function isSwagger(document: JsonObject): boolean {
  return memberOf(document, 'swagger') !== undefined
}

export function versionOf(document: JsonObject, location: string): string {
  const { openapi } = document
  // YAML reads an unquoted 3.1 as a number.
  if (typeof openapi === 'number') return String(openapi)
  const version = textAt(document, 'openapi')
  if (version === undefined) {
    throw new StartFailure(`${location} is no OpenAPI document: it has neither openapi nor swagger`)
  }
  return version
}

export function isOlder(version: string): boolean {
  return /^3(\.0(\.|$)|$)/.test(version.trim())
}

function upgradeSchemas(document: JsonObject): JsonObject {
  function visit(kind: Kind, node: JsonObject, path: readonly string[]): Json {
    const inner = mapChildren(kind, node, path, visit)
    return kind === 'schema' ? convertSchema(inner) : inner
  }
  return { ...mapChildren('document', document, [], visit), openapi: OPENAPI_VERSION }
}
