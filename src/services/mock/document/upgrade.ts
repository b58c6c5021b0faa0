import { UserError } from '../../../kernel/errors.ts'
import type { TellIgnored } from './item-schema.ts'
import { type Json, type JsonObject, memberOf, stringAt } from './json.ts'
import { mapChildren, type ObjectKind } from './openapi-structure.ts'

export const OPENAPI_VERSION = '3.1.1'

/**
 * Converts documents older than version 3.1, because the rest of the service requires 3.1 or later.
 * The converters are loaded only for older documents.
 */
export async function upgrade(
  document: JsonObject,
  location: string,
  ignored: TellIgnored = () => {}
): Promise<JsonObject> {
  if (isSwagger(document)) {
    const { convertSwagger } = await import('./swagger/convert.ts')
    return upgradeSchemas(convertSwagger(document))
  }
  const version = versionOf(document, location)
  if (isOlder(version)) return upgradeSchemas(document)
  const named = { ...document, openapi: version }
  if (!isLater(version)) return named
  const { withItemSchemas } = await import('./item-schema.ts')
  return withItemSchemas(named, ignored)
}

export function isSwagger(document: JsonObject): boolean {
  return memberOf(document, 'swagger') !== undefined
}

export function versionOf(document: JsonObject, location: string): string {
  const { openapi } = document
  // YAML reads an unquoted 3.1 as a number.
  if (typeof openapi === 'number') return String(openapi)
  const version = stringAt(document, 'openapi')
  if (version === undefined) {
    throw new UserError(
      `${location} is not an OpenAPI document: it has neither openapi nor swagger`
    )
  }
  return version
}

export function isOlder(version: string): boolean {
  return /^3(\.0(\.|$)|$)/.test(version.trim())
}

/** Version 3.2 and later. */
function isLater(version: string): boolean {
  return /^3\.([2-9]|\d\d)/.test(version.trim())
}

async function upgradeSchemas(document: JsonObject): Promise<JsonObject> {
  const { convertSchema } = await import('./schema-dialect.ts')
  function upgradeNode(kind: ObjectKind, node: JsonObject, path: readonly string[]): Json {
    const inner = mapChildren(kind, node, path, upgradeNode)
    return kind === 'schema' ? convertSchema(inner) : inner
  }
  return { ...mapChildren('document', document, [], upgradeNode), openapi: OPENAPI_VERSION }
}
