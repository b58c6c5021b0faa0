import { isObject, type Json, type JsonObject } from './json.ts'

/** Kinds of objects in OpenAPI documents of versions 2 and 3. */
export type ObjectKind =
  | 'document'
  | 'components'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'requestBody'
  | 'response'
  | 'mediaType'
  | 'encoding'
  | 'header'
  | 'example'
  | 'link'
  | 'callback'
  | 'securityScheme'
  | 'schema'

type Shape = { readonly kind: ObjectKind; readonly form: 'one' | 'list' | 'map' }

function one(kind: ObjectKind): Shape {
  return { kind, form: 'one' }
}
function list(kind: ObjectKind): Shape {
  return { kind, form: 'list' }
}
function map(kind: ObjectKind): Shape {
  return { kind, form: 'map' }
}

export const METHODS = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query'
] as const

const OPERATIONS = Object.fromEntries(METHODS.map((method) => [method, one('operation')]))

const ONE_SCHEMA = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties'
]
const SCHEMA_LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const SCHEMA_MAPS = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties']

const SHAPES: Readonly<Record<ObjectKind, Readonly<Record<string, Shape>>>> = {
  document: {
    paths: map('pathItem'),
    webhooks: map('pathItem'),
    'x-webhooks': map('pathItem'),
    components: one('components'),
    definitions: map('schema'),
    parameters: map('parameter'),
    responses: map('response'),
    securityDefinitions: map('securityScheme')
  },
  components: {
    schemas: map('schema'),
    responses: map('response'),
    parameters: map('parameter'),
    examples: map('example'),
    requestBodies: map('requestBody'),
    headers: map('header'),
    securitySchemes: map('securityScheme'),
    links: map('link'),
    callbacks: map('callback'),
    pathItems: map('pathItem')
  },
  pathItem: { ...OPERATIONS, parameters: list('parameter') },
  operation: {
    parameters: list('parameter'),
    requestBody: one('requestBody'),
    responses: map('response'),
    callbacks: map('callback')
  },
  parameter: { schema: one('schema'), content: map('mediaType'), examples: map('example') },
  requestBody: { content: map('mediaType') },
  response: {
    headers: map('header'),
    content: map('mediaType'),
    links: map('link'),
    schema: one('schema')
  },
  mediaType: {
    schema: one('schema'),
    itemSchema: one('schema'),
    examples: map('example'),
    encoding: map('encoding')
  },
  encoding: { headers: map('header') },
  header: { schema: one('schema'), content: map('mediaType'), examples: map('example') },
  example: {},
  link: {},
  callback: {},
  securityScheme: {},
  schema: {
    ...Object.fromEntries(ONE_SCHEMA.map((name) => [name, one('schema')])),
    ...Object.fromEntries(SCHEMA_LISTS.map((name) => [name, list('schema')])),
    ...Object.fromEntries(SCHEMA_MAPS.map((name) => [name, map('schema')]))
  }
}

/** Maps with names chosen by the author, including names that start with `x-`. */
const FREE_NAMES: readonly ObjectKind[] = ['schema', 'header', 'example', 'encoding']

export type Change = (kind: ObjectKind, node: JsonObject, path: readonly string[]) => Json

/** Returns a copy of a node with `change` applied to its children; other members are unchanged. */
export function mapChildren(
  kind: ObjectKind,
  node: JsonObject,
  path: readonly string[],
  change: Change
): JsonObject {
  // Assigning to an existing own member is safe even if it is named `__proto__`.
  const copy = { ...node }
  for (const [name, value] of Object.entries(node)) {
    const shape = shapeOf(kind, name, value)
    if (shape !== undefined) copy[name] = mapValue(shape, value, [...path, name], change)
  }
  return copy
}

function shapeOf(kind: ObjectKind, name: string, value: Json): Shape | undefined {
  // In draft 4, an array of schemas in `items` is a tuple.
  if (kind === 'schema' && name === 'items') {
    return Array.isArray(value) ? list('schema') : one('schema')
  }
  if (kind === 'callback') return name.startsWith('x-') ? undefined : one('pathItem')
  const shapes = SHAPES[kind]
  return Object.hasOwn(shapes, name) ? shapes[name] : undefined
}

function mapValue(shape: Shape, value: Json, path: readonly string[], change: Change): Json {
  const { kind, form } = shape
  if (form === 'one') return isObject(value) ? change(kind, value, path) : value
  if (form === 'list') {
    if (!Array.isArray(value)) return value
    return value.map((item, index) =>
      isObject(item) ? change(kind, item, [...path, String(index)]) : item
    )
  }
  if (!isObject(value)) return value
  const copy = { ...value }
  for (const [name, item] of Object.entries(value)) {
    if (!isObject(item) || (name.startsWith('x-') && !FREE_NAMES.includes(kind))) continue
    copy[name] = change(kind, item, [...path, name])
  }
  return copy
}
