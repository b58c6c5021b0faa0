import type { JsonSchema, SchemaObject, TypeName } from '../schema/json-schema.ts'
import { own, typesOf } from '../schema/json-schema.ts'
import type { View } from '../schema/schemas.ts'

/** Properties of a schema that are needed to read a string as its value. */
export interface SchemaSummary {
  /** Undefined if the schema does not restrict the type. */
  types: ReadonlySet<TypeName> | undefined
  /** Names of the properties. */
  names: readonly string[]
  property: (name: string) => SchemaSummary | undefined
  items: SchemaSummary
  /** Whether the schema explicitly allows additional properties. */
  isOpen: boolean
  xml: Readonly<Record<string, unknown>>
}

export interface Shapes {
  at: (pointer: string | undefined) => SchemaSummary
}

/** A schema of more parts than this is treated as unrestricted. */
const MAX_PARTS = 300
const MAX_DEPTH = 30

export function createSchemaSummaries(view: View): Shapes {
  const known = new Map<JsonSchema, SchemaSummary>()

  function shapeOf(schema: JsonSchema): SchemaSummary {
    let shape = known.get(schema)
    if (shape === undefined) {
      shape = createShape(schema, view, shapeOf)
      known.set(schema, shape)
    }
    return shape
  }

  return { at: (pointer) => shapeOf(pointer === undefined ? true : (view.at(pointer) ?? true)) }
}

/** Converts a pointer of the model to a reference of the schema module. */
export function referenceTo(pointer: string): string {
  return `#${pointer.replaceAll('%', '%25')}`
}

function createShape(
  schema: JsonSchema,
  view: View,
  shapeOf: (schema: JsonSchema) => SchemaSummary
): SchemaSummary {
  const parts = partsOf(schema, view)
  const properties = collectProperties(parts)
  const shapes = new Map<string, SchemaSummary>()
  let items: SchemaSummary | undefined
  return {
    types: typesIn(schema, view, 0) ?? inferTypes(parts),
    names: [...properties.keys()],
    property(name) {
      const schemas = properties.get(name)
      if (schemas === undefined) return undefined
      const shape = shapes.get(name) ?? shapeOf(joined(schemas))
      shapes.set(name, shape)
      return shape
    },
    get items() {
      items ??= shapeOf(joined(parts.flatMap((part) => part.items ?? part.prefixItems ?? [])))
      return items
    },
    isOpen: parts.some(({ additionalProperties: more }) => more !== undefined && more !== false),
    xml: Object.assign({}, ...parts.map(xmlOf).reverse())
  }
}

function joined(schemas: readonly JsonSchema[]): JsonSchema {
  const [first = true] = schemas
  return schemas.length > 1 ? { anyOf: [...schemas] } : first
}

function xmlOf(part: SchemaObject): object {
  const xml: unknown = own({ ...part } as Record<string, unknown>, 'xml')
  return typeof xml === 'object' && xml !== null ? xml : {}
}

/** The schema and all schemas that apply to the same value. */
function partsOf(schema: JsonSchema, view: View): SchemaObject[] {
  const parts = new Set<SchemaObject>()
  const open = [schema]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'boolean' || parts.has(next)) continue
    parts.add(next)
    if (parts.size > MAX_PARTS) return []
    const inner = [next.allOf, next.anyOf, next.oneOf].flatMap((list) => list ?? [])
    if (next.then !== undefined) inner.push(next.then)
    if (next.else !== undefined) inner.push(next.else)
    if (next.$ref !== undefined) inner.push(view.resolve(next.$ref))
    open.push(...inner.reverse())
  }
  return [...parts]
}

function collectProperties(parts: readonly SchemaObject[]): Map<string, JsonSchema[]> {
  const properties = new Map<string, JsonSchema[]>()
  for (const part of parts) {
    for (const [name, schema] of Object.entries(part.properties ?? {})) {
      properties.set(name, [...(properties.get(name) ?? []), schema])
    }
  }
  return properties
}

type Types = ReadonlySet<TypeName> | undefined

/** Types that every part allows; undefined if no part restricts them. */
function typesIn(schema: JsonSchema, view: View, depth: number): Types {
  if (typeof schema === 'boolean' || depth > MAX_DEPTH) return undefined
  const inner = (one: JsonSchema) => typesIn(one, view, depth + 1)
  const own = typesOf(schema)
  const all: Types[] = [own === undefined ? typesOfValues(schema) : new Set(own)]
  if (schema.$ref !== undefined) all.push(inner(view.resolve(schema.$ref)))
  if (schema.allOf !== undefined) all.push(...schema.allOf.map(inner))
  if (schema.anyOf !== undefined) all.push(union(schema.anyOf.map(inner)))
  if (schema.oneOf !== undefined) all.push(union(schema.oneOf.map(inner)))
  return all.reduce(intersect, undefined)
}

function typesOfValues(schema: SchemaObject): Types {
  const values = schema.const === undefined ? schema.enum : [schema.const]
  return values === undefined ? undefined : new Set(values.map(typeOfValue))
}

function typeOfValue(value: unknown): TypeName {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as TypeName
}

function union(all: readonly Types[]): Types {
  const types = new Set<TypeName>()
  for (const one of all) {
    if (one === undefined) return undefined
    for (const type of one) types.add(type)
  }
  return types
}

function intersect(one: Types, other: Types): Types {
  if (one === undefined || other === undefined) return one ?? other
  return new Set([...one].filter((type) => other.has(type)))
}

function inferTypes(parts: readonly SchemaObject[]): Types {
  const isObject = parts.some(
    ({ properties, additionalProperties }) => (properties ?? additionalProperties) !== undefined
  )
  if (isObject) return new Set(['object'])
  const isArray = parts.some(({ items, prefixItems }) => (items ?? prefixItems) !== undefined)
  return isArray ? new Set(['array']) : undefined
}
