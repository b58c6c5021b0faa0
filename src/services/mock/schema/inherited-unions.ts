import { isObject } from '../../../kernel/json.ts'
import { formatPointer } from '../../../kernel/json-pointer.ts'
import { lastOf } from './pointer.ts'

type Raw = Record<string, unknown>

/** A schema with more descendants is not limited to them: each would be tried for every value. */
const MAX_DESCENDANTS = 200

const PREFIX = '#/components/schemas/'

/**
 * Makes each component with a discriminator whose children extend it with `allOf` a union of them
 * and of itself, so that the property chooses the child as it chooses the branch of a `oneOf`.
 */
export function withInheritedUnions(document: object): object {
  const { components } = document as Raw
  const schemas = isObject(components) ? components.schemas : undefined
  if (!isObject(components) || !isObject(schemas)) return document
  if (!Object.values(schemas).some(isParent)) return document
  const children = childrenIn(schemas)
  const entries = Object.entries(schemas).map(([name, schema]) => {
    if (!isParent(schema)) return [name, schema] as const
    const descendants = descendantsOf(name, children)
    const isUsable = descendants.length > 0 && descendants.length <= MAX_DESCENDANTS
    return [name, isUsable ? uniteWith(schema, name, descendants) : schema] as const
  })
  return { ...document, components: { ...components, schemas: Object.fromEntries(entries) } }
}

interface Parent extends Raw {
  discriminator: Raw & { propertyName: string }
}

function isParent(schema: unknown): schema is Parent {
  if (!isObject(schema) || !isObject(schema.discriminator)) return false
  const { oneOf, anyOf, discriminator } = schema
  return (
    oneOf === undefined && anyOf === undefined && typeof discriminator.propertyName === 'string'
  )
}

/** Names of the components that directly extend a component, by its name. */
function childrenIn(schemas: Raw): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>()
  for (const [name, schema] of Object.entries(schemas)) {
    for (const parent of new Set(parentsOf(schema))) {
      if (parent === name) continue
      children.set(parent, [...(children.get(parent) ?? []), name])
    }
  }
  return children
}

function parentsOf(schema: unknown): string[] {
  if (!isObject(schema) || !Array.isArray(schema.allOf)) return []
  return schema.allOf.flatMap((part: unknown) => {
    if (!isObject(part)) return []
    const { $ref } = part
    const name = typeof $ref === 'string' && $ref.startsWith(PREFIX) ? lastOf($ref) : undefined
    return name === undefined ? parentsOf(part) : [name]
  })
}

function descendantsOf(name: string, children: ReadonlyMap<string, readonly string[]>): string[] {
  const found = new Set<string>([name])
  for (const one of found) {
    for (const child of children.get(one) ?? []) found.add(child)
  }
  found.delete(name)
  return [...found]
}

/** The first descendant that the mapping names is the one of generated bodies. */
function uniteWith(schema: Parent, name: string, descendants: readonly string[]): Raw {
  const { discriminator } = schema
  const mapping = isObject(discriminator.mapping) ? Object.entries(discriminator.mapping) : []
  const targets = mapping.map(([, target]) => (typeof target === 'string' ? lastOf(target) : ''))
  const mapped = targets.filter((target) => target !== undefined && descendants.includes(target))
  const ordered = [...new Set([...mapped, ...descendants])]
  const ownNames = mapping.filter((_, index) => targets[index] === name).map(([own]) => own)
  return {
    ...schema,
    discriminator: { ...discriminator, isInherited: true },
    anyOf: [
      ...ordered.map((each) => ({
        $ref: `#${formatPointer(['components', 'schemas', String(each)])}`
      })),
      itself(schema, [...ownNames, name, ...freeNames(schema, mapping, ordered)])
    ]
  }
}

/** The branch for values that name the parent, not one of its descendants. */
function itself({ discriminator }: Parent, names: readonly string[]): Raw {
  const { propertyName } = discriminator
  return { required: [propertyName], properties: { [propertyName]: { enum: [...new Set(names)] } } }
}

/** Values that the property allows and that name no descendant. */
function freeNames(
  { discriminator, properties }: Parent,
  mapping: readonly [string, unknown][],
  descendants: readonly (string | undefined)[]
): string[] {
  const property = isObject(properties) ? properties[discriminator.propertyName] : undefined
  const values = isObject(property) && Array.isArray(property.enum) ? property.enum : []
  const taken = new Set([...descendants, ...mapping.map(([name]) => name)])
  const texts = values.filter((value) => typeof value === 'string')
  return texts.filter((value) => !taken.has(value))
}
