import { isObject, type Json, type JsonObject, without } from '../json.ts'
import { mapChildren, type ObjectKind } from '../openapi-structure.ts'
import { OPENAPI_VERSION } from '../upgrade.ts'
import type { Tell } from './report-loss.ts'

/** Members that 3.2 added, by the kind of their object. */
const ADDED: Partial<Record<ObjectKind | 'tag' | 'server', readonly string[]>> = {
  document: ['$self'],
  components: ['mediaTypes'],
  pathItem: ['query', 'additionalOperations'],
  mediaType: ['itemSchema', 'prefixEncoding', 'itemEncoding'],
  encoding: ['encoding', 'prefixEncoding', 'itemEncoding'],
  response: ['summary'],
  example: ['dataValue', 'serializedValue'],
  securityScheme: ['oauth2MetadataUrl', 'deprecated'],
  tag: ['summary', 'parent', 'kind'],
  server: ['name']
}

/** Converts a document of version 3.2 to version 3.1 and reports losses. */
export function withoutLater(source: JsonObject, tell: Tell): JsonObject {
  function downgradeNode(
    kind: ObjectKind | 'tag' | 'server',
    node: JsonObject,
    path: readonly string[]
  ): JsonObject {
    const added = (ADDED[kind] ?? []).filter((name) => Object.hasOwn(node, name))
    for (const name of added) tell([...path, name], `OpenAPI 3.1 has no ${name} here`)
    const rest = without(node, ...added)
    const known =
      kind === 'response' && rest.$ref === undefined ? { description: '', ...rest } : rest
    return kind === 'tag' || kind === 'server'
      ? known
      : mapChildren(kind, known, path, downgradeNode)
  }

  function each(kind: 'tag' | 'server', name: 'tags' | 'servers'): JsonObject {
    const list: Json | undefined = source[name]
    if (!Array.isArray(list)) return {}
    const items = list.map((item, index) =>
      isObject(item) ? downgradeNode(kind, item, [name, String(index)]) : item
    )
    return { [name]: items }
  }

  return {
    ...downgradeNode('document', source, []),
    openapi: OPENAPI_VERSION,
    ...each('tag', 'tags'),
    ...each('server', 'servers')
  }
}
