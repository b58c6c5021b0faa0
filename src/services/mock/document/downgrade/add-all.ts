import { type JsonObject, listAt } from '../json.ts'

/** One more condition that has to hold. */
export function addAll(draft: JsonObject, condition: JsonObject): void {
  draft.allOf = [...listAt(draft, 'allOf'), condition]
}
