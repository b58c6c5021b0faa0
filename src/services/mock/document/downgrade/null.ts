import { arrayAt, isObject, type Json, type JsonObject, without } from '../json.ts'
import { addAll } from './add-all.ts'

/** OpenAPI 3.0 has no type null; a nullable string with the enum [null] is equivalent. */
export const NULL_ONLY: Readonly<JsonObject> = { type: 'string', nullable: true, enum: [null] }

const ANNOTATIONS = [
  'title',
  'description',
  'default',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  'externalDocs'
]

export function isNullOnly(schema: Json): boolean {
  if (!isObject(schema) || schema.nullable !== true) return false
  const values = arrayAt(schema, 'enum')
  return values.length === 1 && values[0] === null
}

/** Rewrites an array of types, because OpenAPI 3.0 has one type and `nullable`. */
export function rewriteTypes(draft: JsonObject): void {
  if (draft.type === 'null') Object.assign(draft, NULL_ONLY)
  if (!Array.isArray(draft.type)) return
  const types = draft.type.filter((type) => type !== 'null')
  const isNullable = types.length < draft.type.length
  delete draft.type
  const [first] = types
  if (first === undefined) {
    if (isNullable) Object.assign(draft, NULL_ONLY)
  } else if (types.length === 1) {
    draft.type = first
    if (isNullable) draft.nullable = true
  } else {
    const choices = types.map(
      (type, index): JsonObject => ({
        type,
        ...(type === 'array' ? { items: {} } : {}),
        ...(isNullable && index === 0 ? { nullable: true } : {})
      })
    )
    if (draft.anyOf === undefined) draft.anyOf = choices
    else addAll(draft, { anyOf: choices })
  }
}

/** Rewrites "a schema or null" as `nullable` if there are only annotations beside it. */
export function mergeNull(schema: JsonObject): JsonObject {
  for (const name of ['anyOf', 'oneOf']) {
    const choices = arrayAt(schema, name)
    const others = choices.filter((choice) => !isNullOnly(choice))
    const [only] = others
    if (choices.length !== 2 || others.length !== 1 || !isObject(only)) continue
    const rest = without(schema, name)
    const isBare = Object.keys(rest).every(
      (key) => ANNOTATIONS.includes(key) || key.startsWith('x-')
    )
    if (!isBare || typeof only.type !== 'string') continue
    const values = Array.isArray(only.enum) ? { enum: [...new Set([...only.enum, null])] } : {}
    return { ...only, ...values, ...rest, nullable: true }
  }
  return schema
}
