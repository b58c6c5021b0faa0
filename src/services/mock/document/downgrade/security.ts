import { isObject, type Json, type JsonObject, mapMembers, objectAt, without } from '../json.ts'
import { METHODS } from '../openapi-structure.ts'
import type { Tell } from './report-loss.ts'

/** Types of schemes in 3.0; the target of a reference is checked elsewhere. */
const KINDS = ['apiKey', 'http', 'oauth2', 'openIdConnect']
/** Only these types have scopes in 3.0; for the other types 3.1 has roles. */
const WITH_SCOPES = ['oauth2', 'openIdConnect']

export function isWithoutScheme(scheme: Json): boolean {
  return isObject(scheme) && scheme.$ref === undefined && !KINDS.includes(String(scheme.type))
}

/** Removes the schemes with these names and all references to them. */
export function withoutSchemes(
  document: JsonObject,
  names: readonly string[],
  tell: Tell
): JsonObject {
  const components = objectAt(document, 'components')
  const schemes = objectAt(components, 'securitySchemes')
  for (const name of names) {
    const { type } = objectAt(schemes, name)
    tell(
      ['components', 'securitySchemes', name],
      `OpenAPI 3.0 has no security scheme of type ${type}`
    )
  }

  function securityIn(node: JsonObject, path: readonly string[]): JsonObject {
    if (!Array.isArray(node.security)) return node
    return { ...node, security: node.security.map((one, index) => kept(one, index, path)) }
  }

  function kept(requirement: Json, index: number, path: readonly string[]): Json {
    if (!isObject(requirement)) return requirement
    const at = [...path, 'security', String(index)]
    if (names.some((name) => Object.hasOwn(requirement, name))) {
      tell(at, 'The requirements without that scheme are weaker')
    }
    return mapMembers(without(requirement, ...names), (scopes, name) => {
      const scheme = objectAt(schemes, name)
      const isPlain = scheme.$ref !== undefined || WITH_SCOPES.includes(String(scheme.type))
      if (isPlain || !Array.isArray(scopes) || scopes.length === 0) return scopes
      tell([...at, name], 'OpenAPI 3.0 has no roles for this type of scheme')
      return []
    })
  }

  function inPaths(paths: Json | undefined, path: readonly string[]): Json {
    if (!isObject(paths)) return paths ?? {}
    return mapMembers(paths, (item, name) => {
      if (!isObject(item)) return item
      return mapMembers(item, (operation, method) =>
        (METHODS as readonly string[]).includes(method) && isObject(operation)
          ? securityIn(operation, [...path, name, method])
          : operation
      )
    })
  }

  const secured = securityIn(document, [])
  return {
    ...secured,
    ...(document.paths === undefined ? {} : { paths: inPaths(document.paths, ['paths']) }),
    ...(document.components === undefined
      ? {}
      : {
          components: {
            ...components,
            ...(components.securitySchemes === undefined
              ? {}
              : { securitySchemes: without(schemes, ...names) })
          }
        })
  }
}
