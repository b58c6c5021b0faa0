import { isLineType, isSequenceType } from '../../../kernel/media-type.ts'
import { type Json, type JsonObject, memberOf } from './json.ts'
import { mapChildren, type ObjectKind } from './openapi-structure.ts'

/** A member of a document of version 3.2 that the mock does not use. */
export type TellIgnored = (path: readonly string[], text: string) => void

/**
 * Describes the whole sequence where version 3.2 describes each of its items, so that the rest of
 * the service needs to know arrays only.
 */
export function withItemSchemas(document: JsonObject, ignored: TellIgnored): JsonObject {
  function change(kind: ObjectKind, node: JsonObject, path: readonly string[]): Json {
    if (kind === 'pathItem' && node.additionalOperations !== undefined) {
      ignored([...path, 'additionalOperations'], 'is ignored: these methods are not served')
    }
    const inner = mapChildren(kind, node, path, change)
    const items = kind === 'mediaType' ? memberOf(inner, 'itemSchema') : undefined
    if (items === undefined) return inner
    if (!isUsed(path)) {
      ignored([...path, 'itemSchema'], 'is ignored: bodies of this type are not read as sequences')
      return inner
    }
    const whole = { type: 'array', minItems: 1, items }
    const { schema } = inner
    return { ...inner, schema: schema === undefined ? whole : { allOf: [schema, whole] } }
  }
  return mapChildren('document', document, [], change)
}

/** Requests are read line by line; responses are also written as event streams. */
function isUsed(path: readonly string[]): boolean {
  const type = path.at(-1) ?? ''
  const isRequest = path.includes('requestBody') || path.includes('requestBodies')
  return isRequest ? isLineType(type) : isSequenceType(type)
}
