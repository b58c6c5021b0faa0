import { arrayAt, isObject, type JsonObject, without } from '../json.ts'
import { rewriteConditions } from './conditions.ts'
import { rewriteItems } from './items.ts'
import { mergeNull, NULL_ONLY, rewriteTypes } from './null.ts'
import { rewriteProperties } from './properties.ts'

/** Members that a schema of 3.0 may have besides `x-…`. */
const KNOWN = [
  'title multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern',
  'maxItems minItems uniqueItems maxProperties minProperties required enum type not allOf oneOf',
  'anyOf items properties additionalProperties description format default nullable discriminator',
  'readOnly writeOnly example externalDocs deprecated xml'
].flatMap((line) => line.split(' '))
/** Members that have no meaning once all references are pointers, or that were moved elsewhere. */
const SPENT = [
  '$schema',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$defs',
  'definitions',
  'then',
  'else'
]

/** Converts one schema; its subschemas are already converted. */
export function downgradeSchema(schema: JsonObject, tell: (text: string) => void): JsonObject {
  const { $ref, ...others } = schema
  if (typeof $ref === 'string' && Object.keys(others).length === 0) return schema
  const draft: JsonObject = typeof $ref === 'string' ? others : { ...schema }
  if (typeof $ref === 'string') draft.allOf = [{ $ref }, ...arrayAt(others, 'allOf')]
  rewriteConstant(draft)
  rewriteBounds(draft)
  rewriteContent(draft, tell)
  rewriteExamples(draft, tell)
  rewriteItems(draft, tell)
  rewriteProperties(draft, tell)
  rewriteConditions(draft)
  rewriteTypes(draft)
  const unknown = Object.keys(draft).filter(
    (name) => !KNOWN.includes(name) && !SPENT.includes(name) && !name.startsWith('x-')
  )
  for (const name of unknown) tell(`OpenAPI 3.0 has no ${name}`)
  const known = withSound(without(draft, ...unknown, ...SPENT))
  return mergeNull(known)
}

function rewriteConstant(draft: JsonObject): void {
  if (!Object.hasOwn(draft, 'const')) return
  const { const: value = null } = draft
  delete draft.const
  if (value === null) Object.assign(draft, NULL_ONLY)
  else draft.enum = [value]
}

function rewriteBounds(draft: JsonObject): void {
  for (const [bound, exclusive, sign] of [
    ['minimum', 'exclusiveMinimum', 1],
    ['maximum', 'exclusiveMaximum', -1]
  ] as const) {
    const limit = draft[exclusive]
    if (typeof limit !== 'number') continue
    delete draft[exclusive]
    const other = draft[bound]
    if (typeof other === 'number' && other * sign > limit * sign) continue
    draft[bound] = limit
    draft[exclusive] = true
  }
}

/** OpenAPI 3.0 marks bytes with `format`. */
function rewriteContent(draft: JsonObject, tell: (text: string) => void): void {
  const { contentEncoding: encoding, contentMediaType: type } = draft
  if (encoding === undefined && type === undefined) return
  const isBytes = encoding === undefined && type === 'application/octet-stream'
  if (draft.format === undefined && (encoding === 'base64' || isBytes)) {
    draft.format = isBytes ? 'binary' : 'byte'
    delete draft.contentEncoding
    if (isBytes) delete draft.contentMediaType
  }
  delete draft.contentSchema
  for (const name of ['contentEncoding', 'contentMediaType']) {
    if (draft[name] === undefined) continue
    tell(`OpenAPI 3.0 has no ${name}`)
    delete draft[name]
  }
}

function rewriteExamples(draft: JsonObject, tell: (text: string) => void): void {
  const { examples } = draft
  if (!Array.isArray(examples)) return
  delete draft.examples
  const [first] = examples
  const kept = draft.example === undefined ? first : draft.example
  if (kept !== undefined) draft.example = kept
  if (examples.length > 1) tell('An OpenAPI 3.0 schema has one example; the first one was kept')
}

/** Replaces values that 3.1 allows to be empty or absent, and 3.0 does not. */
function withSound(schema: JsonObject): JsonObject {
  const sound = { ...schema }
  if (Array.isArray(sound.required)) {
    const required = [...new Set(sound.required)]
    if (required.length === 0) delete sound.required
    else sound.required = required
  }
  if (Array.isArray(sound.enum) && sound.enum.length === 0) {
    delete sound.enum
    sound.not = {}
  }
  if (sound.type === 'array' && !isObject(sound.items)) sound.items = {}
  return sound
}
