import { isObject, type Json, type JsonObject, stringAt } from '../document/json.ts'
import { findAt, formatPointer, parseFragment, parsePointer } from '../document/pointer.ts'

/** A longer chain of references is circular. */
const MAX_HOPS = 50

/** An object of the document and its pointer, after references are resolved. */
export interface Located {
  node: JsonObject
  pointer: string
}

export type Resolve = (node: Json | undefined, pointer: string) => Located | undefined

/** Follows references between the components of one document. */
export function createResolve(document: JsonObject): Resolve {
  return function resolve(node, pointer) {
    let current = node
    let location = pointer
    for (let hops = 0; hops < MAX_HOPS && isObject(current); hops++) {
      const reference = stringAt(current, '$ref')
      if (reference === undefined) return { node: current, pointer: location }
      const tokens = parsePointer(parseFragment(reference.replace(/^#/, '')))
      current = findAt(document, tokens)
      location = formatPointer(tokens)
    }
    return undefined
  }
}

export function below({ pointer }: Located, ...tokens: readonly string[]): string {
  return pointer + formatPointer(tokens)
}
