import { isObject } from './document/json.ts'
import { findAt, parsePointer } from './document/pointer.ts'
import type { ServedApi } from './served-api.ts'

/** Where documents hold rules for messages. */
export const EXTENSION = 'x-nonet-transform'

/** Whether a document has rules of its own: at its root, at paths, at operations, at responses. */
export function hasOwnRules({ document, api }: ServedApi): boolean {
  const holds = (node: unknown) => isObject(node) && Object.hasOwn(node, EXTENSION)
  const holdsAt = (pointer: string) => holds(findAt(document, parsePointer(pointer)))
  return (
    holds(document) ||
    (isObject(document.paths) && Object.values(document.paths).some(holds)) ||
    api.operations.some(
      ({ pointer, responses }) =>
        holdsAt(pointer) || responses.some((response) => holdsAt(response.pointer))
    )
  )
}
