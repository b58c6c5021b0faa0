/** One of the seven type names of JSON Schema. */
export type TypeName = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'

export interface Discriminator {
  propertyName: string
  mapping?: Record<string, string>
  /** Set if the branches are not listed by the author, but extend the schema with `allOf`. */
  isInherited?: boolean
}

/** A schema whose keywords were checked by the view: each present keyword has the right type. */
export interface SchemaObject {
  $ref?: string
  type?: TypeName | TypeName[]
  enum?: unknown[]
  const?: unknown
  multipleOf?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  contains?: JsonSchema
  minContains?: number
  maxContains?: number
  unevaluatedItems?: JsonSchema
  minProperties?: number
  maxProperties?: number
  required?: string[]
  properties?: Record<string, JsonSchema>
  patternProperties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema
  propertyNames?: JsonSchema
  unevaluatedProperties?: JsonSchema
  dependentRequired?: Record<string, string[]>
  dependentSchemas?: Record<string, JsonSchema>
  allOf?: JsonSchema[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  not?: JsonSchema
  if?: JsonSchema
  then?: JsonSchema
  else?: JsonSchema
  discriminator?: Discriminator
  readOnly?: boolean
  writeOnly?: boolean
  example?: unknown
  examples?: unknown
  default?: unknown
  'x-faker'?: unknown
}

export type JsonSchema = boolean | SchemaObject

/** Own properties only, because a document may name a property `constructor`. */
export function own<T>(map: Record<string, T> | undefined, name: string): T | undefined {
  return map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined
}

export function typesOf(schema: SchemaObject): readonly TypeName[] | undefined {
  if (schema.type === undefined) return undefined
  return Array.isArray(schema.type) ? schema.type : [schema.type]
}
