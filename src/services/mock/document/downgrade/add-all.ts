import { arrayAt, type JsonObject } from '../json.ts'

/** Adds a condition to `allOf`. */
export function addAll(draft: JsonObject, condition: JsonObject): void {
  draft.allOf = [...arrayAt(draft, 'allOf'), condition]
}
