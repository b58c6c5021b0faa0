import { isObject, type JsonObject } from '../json.ts'
import { addAll } from './add-all.ts'

/** OpenAPI 3.0 uses `not` and `anyOf`: "if A then B" becomes "not A, or B". */
export function rewriteConditions(draft: JsonObject): void {
  const { if: condition, then: met, else: unmet } = draft
  delete draft.if
  if (isObject(condition)) {
    if (isObject(met)) addAll(draft, { anyOf: [{ not: condition }, met] })
    if (isObject(unmet)) addAll(draft, { anyOf: [condition, unmet] })
  }
  for (const name of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    const dependencies = draft[name]
    if (!isObject(dependencies)) continue
    delete draft[name]
    for (const [property, needed] of Object.entries(dependencies)) {
      const absent = { not: { type: 'object', required: [property] } }
      if (isObject(needed)) addAll(draft, { anyOf: [absent, needed] })
      else if (Array.isArray(needed) && needed.length > 0) {
        addAll(draft, { anyOf: [absent, { required: [...new Set(needed)] }] })
      }
    }
  }
}
