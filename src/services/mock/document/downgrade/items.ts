import { isObject, type Json, type JsonObject } from '../json.ts'
import { addAll } from './add-all.ts'
import { isNever } from './boolean-schema.ts'

export function rewriteItems(draft: JsonObject, tell: (text: string) => void): void {
  rewriteTuple(draft, tell)
  rewriteContains(draft, tell)
  const { unevaluatedItems } = draft
  delete draft.unevaluatedItems
  if (unevaluatedItems !== undefined && unevaluatedItems !== true) {
    tell('OpenAPI 3.0 has no unevaluatedItems')
  }
}

/** The position of the items is lost; no valid array becomes invalid. */
function rewriteTuple(draft: JsonObject, tell: (text: string) => void): void {
  const { prefixItems, items } = draft
  if (!Array.isArray(prefixItems)) return
  delete draft.prefixItems
  tell('OpenAPI 3.0 has no prefixItems; every item may match any of them')
  if (items === undefined) return
  if (!isNever(items)) {
    draft.items = { anyOf: [...prefixItems, items] }
    return
  }
  const { length } = prefixItems
  draft.items = { anyOf: prefixItems }
  draft.maxItems = typeof draft.maxItems === 'number' ? Math.min(draft.maxItems, length) : length
}

/** `contains` becomes: not every item fails to match. */
function rewriteContains(draft: JsonObject, tell: (text: string) => void): void {
  const { contains, minContains = 1, maxContains } = draft
  for (const name of ['contains', 'minContains', 'maxContains']) delete draft[name]
  if (!isObject(contains)) return
  if (minContains !== 0) {
    const none: JsonObject = { type: 'array', items: { not: contains as Json } }
    addAll(draft, { not: none })
  }
  if (typeof minContains === 'number' && minContains > 1) tell('OpenAPI 3.0 has no minContains')
  if (maxContains !== undefined) tell('OpenAPI 3.0 has no maxContains')
}
