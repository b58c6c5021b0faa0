import { isObject, type Json, type JsonObject } from '../json.ts'
import { isNever } from './boolean-schema.ts'

/** With one of these, properties can also be evaluated by other schemas. */
const APPLICATORS = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'dependentSchemas']

export function rewriteProperties(draft: JsonObject, tell: (text: string) => void): void {
  rewritePatterns(draft, tell)
  const { unevaluatedProperties } = draft
  if (unevaluatedProperties === undefined) return
  delete draft.unevaluatedProperties
  if (unevaluatedProperties === true || draft.additionalProperties !== undefined) return
  if (APPLICATORS.every((name) => draft[name] === undefined)) {
    draft.additionalProperties = unevaluatedProperties
  } else {
    tell('OpenAPI 3.0 has no unevaluatedProperties')
  }
}

/** OpenAPI 3.0 cannot match names by a pattern; no valid object becomes invalid. */
function rewritePatterns(draft: JsonObject, tell: (text: string) => void): void {
  const { patternProperties, additionalProperties } = draft
  if (!isObject(patternProperties)) return
  delete draft.patternProperties
  if (Object.keys(patternProperties).length === 0) return
  if (additionalProperties === undefined || additionalProperties === true) {
    tell('OpenAPI 3.0 has no patternProperties')
    return
  }
  tell('OpenAPI 3.0 has no patternProperties; every additional property may match any of them')
  const schemas: Json[] = Object.values(patternProperties)
  const rest = isNever(additionalProperties) ? [] : [additionalProperties]
  const choices = [...schemas, ...rest]
  draft.additionalProperties = choices.length === 1 ? (choices[0] ?? {}) : { anyOf: choices }
}
