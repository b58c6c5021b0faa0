import { isObject, type Json, type JsonObject, memberOf, without } from '../json.ts'
import { mapChildren, type ObjectKind } from '../openapi-structure.ts'
import { withSchemaObjects } from './boolean-schema.ts'
import type { Tell } from './report-loss.ts'
import { downgradeSchema } from './schema.ts'
import { isWithoutScheme, withoutSchemes } from './security.ts'

export const OLDER_VERSION = '3.0.4'

/** Converts a bundled document of version 3.1 to version 3.0 and reports losses. */
export function downgrade(source: JsonObject, tell: Tell): JsonObject {
  function downgradeNode(kind: ObjectKind, node: JsonObject, path: readonly string[]): Json {
    const inner = mapChildren(kind, withSchemaObjects(kind, node), path, downgradeNode)
    if (kind === 'schema') return downgradeSchema(inner, (text) => tell(path, text))
    if (typeof inner.$ref === 'string' && kind !== 'pathItem') return bareReference(inner, path)
    return kind === 'operation' ? downgradeOperation(inner, path) : inner
  }

  /** Before 3.1, a reference has no members beside `$ref`. */
  function bareReference(node: JsonObject, path: readonly string[]): JsonObject {
    const others = Object.keys(node).filter((name) => name !== '$ref')
    if (others.length > 0)
      tell(path, `OpenAPI 3.0 does not allow ${others.join(' and ')} next to a reference`)
    return { $ref: node.$ref ?? '' }
  }

  function downgradeOperation(node: JsonObject, path: readonly string[]): JsonObject {
    if (Object.keys(node.responses ?? {}).length > 0) return node
    tell(path, 'OpenAPI 3.0 requires a response; a default response was added')
    return { ...node, responses: { default: { description: 'Any response' } } }
  }

  const inner = mapChildren('document', source, [], downgradeNode)
  const document = withoutSchemes(inner, listOfRejected(inner), tell)
  const { webhooks, jsonSchemaDialect, ...rest } = document
  if (jsonSchemaDialect !== undefined)
    tell(['jsonSchemaDialect'], 'OpenAPI 3.0 supports only one schema dialect')
  if (webhooks !== undefined)
    tell(['webhooks'], 'OpenAPI 3.0 has no webhooks; they were moved to x-webhooks')
  return {
    ...rest,
    openapi: OLDER_VERSION,
    info: downgradeInfo(rest.info, tell),
    paths: isObject(rest.paths) ? rest.paths : {},
    ...(rest.components === undefined ? {} : { components: downgradeComponents(rest.components) }),
    ...(webhooks === undefined ? {} : { 'x-webhooks': webhooks })
  }
}

function downgradeInfo(info: Json | undefined, tell: Tell): Json {
  if (!isObject(info)) return info ?? {}
  const { summary, ...rest } = info
  const license = isObject(rest.license) ? { license: downgradeLicense(rest.license) } : {}
  if (summary === undefined) return { ...rest, ...license }
  if (rest.description === undefined) return { ...rest, ...license, description: summary }
  tell(['info', 'summary'], 'OpenAPI 3.0 has no summary next to the description')
  return { ...rest, ...license }
}

function downgradeLicense({ identifier, ...license }: JsonObject): JsonObject {
  if (typeof identifier !== 'string' || license.url !== undefined) return license
  return { ...license, url: `https://spdx.org/licenses/${encodeURIComponent(identifier)}.html` }
}

/** `pathItems` is not needed, because bundling inserted the path items where they are used. */
function downgradeComponents(components: Json): Json {
  return isObject(components) ? without(components, 'pathItems') : components
}

function listOfRejected(document: JsonObject): string[] {
  const schemes = memberOf(memberOf(document, 'components'), 'securitySchemes')
  if (!isObject(schemes)) return []
  return Object.entries(schemes).flatMap(([name, scheme]) =>
    isWithoutScheme(scheme) ? [name] : []
  )
}
