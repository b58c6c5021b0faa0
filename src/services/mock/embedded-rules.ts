import { isObject, type Json, objectAt } from './document/json.ts'
import type { ServedApi } from './served-api.ts'

/** Extension keyword under which OpenAPI documents contain rules. */
export const EXTENSION = 'x-nonet-transform'

/** Whether a document contains rules: at its root, at paths, at operations or at responses. */
export function hasEmbeddedRules({ document }: Pick<ServedApi, 'document'>): boolean {
  return (
    holds(document) ||
    Object.values(objectAt(document.components, 'responses')).some(holds) ||
    Object.values(objectAt(document, 'paths')).some(pathHolds)
  )
}

function pathHolds(item: Json): boolean {
  return holds(item) || (isObject(item) && Object.values(item).some(operationHolds))
}

function operationHolds(operation: Json): boolean {
  return holds(operation) || Object.values(objectAt(operation, 'responses')).some(holds)
}

function holds(node: Json): boolean {
  return isObject(node) && Object.hasOwn(node, EXTENSION)
}
