import { type JsonSchema, own, type SchemaObject, typesOf } from './json-schema.ts'
import { lastOf } from './pointer.ts'

interface Branch {
  schema: JsonSchema
  names: string[]
}

/**
 * Rewrites a union with a discriminator so that the named property alone decides which branch an
 * object must match. A plain oneOf would reject a body that matches two branches.
 */
export function discriminate(
  schema: SchemaObject,
  resolve: (ref: string) => JsonSchema,
  nameOf: (ref: string) => string
): SchemaObject {
  const { discriminator, oneOf, anyOf } = schema
  const union = oneOf ?? anyOf
  if (discriminator === undefined || union === undefined) return schema
  const branches = nameBranches(schema, resolve, nameOf)
  if (branches === undefined) return schema
  const { propertyName } = discriminator
  const names = [...new Set(branches.flatMap((branch) => branch.names))]
  const chosen = names.map((name) => ({
    if: { properties: { [propertyName]: { const: name } }, required: [propertyName] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: anyOfThem(branches.filter((branch) => branch.names.includes(name)))
  }))
  const { oneOf: _oneOf, anyOf: _anyOf, allOf = [], ...rest } = schema
  const objects = {
    // An author who lists no branches requires the property by `required`, or not at all.
    ...(discriminator.isInherited ? {} : { required: [propertyName] }),
    properties: { [propertyName]: { enum: names } },
    allOf: chosen
  }
  return {
    ...rest,
    allOf: [
      ...allOf,
      {
        if: { type: 'object' },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        then: objects,
        ...(discriminator.isInherited ? {} : { else: { anyOf: union } })
      }
    ],
    ...(oneOf !== undefined && anyOf !== undefined ? { anyOf } : {})
  }
}

function anyOfThem(branches: Branch[]): JsonSchema {
  const [first, ...others] = branches.map(({ schema }) => schema)
  return others.length === 0 ? (first as JsonSchema) : { anyOf: [first as JsonSchema, ...others] }
}

/** Undefined if a branch that accepts objects has no name; the union is then not rewritten. */
function nameBranches(
  schema: SchemaObject,
  resolve: (ref: string) => JsonSchema,
  nameOf: (ref: string) => string
): Branch[] | undefined {
  const branches: Branch[] = []
  for (const branch of schema.oneOf ?? schema.anyOf ?? []) {
    if (!takesObjects(branch, resolve)) continue
    const names = branchNames(schema, branch, resolve, nameOf)
    if (names.length === 0) return undefined
    branches.push({ schema: branch, names })
  }
  return branches.length === 0 ? undefined : branches
}

function takesObjects(schema: JsonSchema, resolve: (ref: string) => JsonSchema, hops = 0): boolean {
  if (typeof schema === 'boolean') return schema
  const types = typesOf(schema)
  if (types !== undefined) return types.includes('object')
  if (schema.$ref === undefined || hops > 8) return true
  return takesObjects(resolve(schema.$ref), resolve, hops + 1)
}

/** Mapped names, the name of the component, and the values that the property allows. */
export function branchNames(
  schema: SchemaObject,
  branch: JsonSchema,
  resolve: (ref: string) => JsonSchema,
  nameOf: (ref: string) => string
): string[] {
  if (schema.discriminator === undefined || typeof branch === 'boolean') return []
  const { propertyName, mapping = {} } = schema.discriminator
  const names = new Set<string>()
  const allowed = allowedValues(branch, propertyName, resolve)
  if (branch.$ref !== undefined) {
    const component = nameOf(branch.$ref)
    for (const [name, target] of Object.entries(mapping)) {
      if (target === component || lastOf(target) === component) names.add(name)
    }
    if (names.size === 0 || allowed.includes(component)) names.add(component)
  }
  for (const value of allowed) if (!isOfOther(value, schema, branch, nameOf)) names.add(value)
  return [...names]
}

/** A child may also allow the values of its siblings, by the property of their common parent. */
function isOfOther(
  value: string,
  { discriminator, oneOf, anyOf }: SchemaObject,
  branch: SchemaObject,
  nameOf: (ref: string) => string
): boolean {
  if (branch.$ref === undefined) return false
  const component = nameOf(branch.$ref)
  const target = own(discriminator?.mapping, value)
  if (target !== undefined) return target !== component && lastOf(target) !== component
  return (oneOf ?? anyOf ?? []).some((other) => {
    if (typeof other === 'boolean' || other.$ref === undefined) return false
    return nameOf(other.$ref) === value && value !== component
  })
}

function allowedValues(
  schema: JsonSchema,
  property: string,
  resolve: (ref: string) => JsonSchema
): string[] {
  const parts = new Set([schema])
  const values: unknown[] = []
  for (const part of parts) {
    if (typeof part === 'boolean') continue
    if (part.$ref !== undefined) parts.add(resolve(part.$ref))
    for (const one of part.allOf ?? []) parts.add(one)
    let definition = own(part.properties, property)
    if (typeof definition === 'object' && definition.$ref !== undefined) {
      definition = resolve(definition.$ref)
    }
    if (typeof definition !== 'object') continue
    if (definition.const !== undefined) values.push(definition.const)
    else if (definition.enum !== undefined) values.push(...definition.enum)
  }
  return values.filter((value) => typeof value === 'string')
}
