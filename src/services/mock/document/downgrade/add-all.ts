import { arrayAt, type JsonObject } from '../json.ts'

/** One more condition that has to hold. */
export function addAll(draft: JsonObject, condition: JsonObject): void {
  draft.allOf = [...arrayAt(draft, 'allOf'), condition]
}
