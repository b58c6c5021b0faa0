import { isObject } from '../../../kernel/json.ts'
import { accepts, type Tools } from './accepts.ts'
import type { JsonSchema, SchemaObject } from './json-schema.ts'
import type { View } from './view.ts'

/** Schemas that contain more schemas take a second or more to compile. */
const WIDE = 1000
/** Number of references that are followed in search of a wide schema. */
const MAX_FOLLOWED = 50

/** Whether the schema, or one that it refers to, is too large to be compiled while others wait. */
export function isWide(view: View, schema: JsonSchema): boolean {
  if (view.sizeOf(schema) > WIDE) return true
  const refs = new Set(view.refsOf(schema))
  let followed = 0
  for (const ref of refs) {
    if (followed === MAX_FOLLOWED) return false
    followed += 1
    const target = view.resolve(ref)
    if (view.sizeOf(target) > WIDE) return true
    for (const next of view.refsOf(target)) refs.add(next)
  }
  return false
}

export interface Reduced {
  schema: JsonSchema
  /** All references that the schema may contain. */
  refs: ReadonlySet<string>
}

/**
 * A smaller schema with the same violations for this one value, at most about `most` of them:
 * without the properties that the value does not have, and without the schemas that it satisfies.
 */
export function reduceFor(
  value: unknown,
  whole: JsonSchema,
  tools: Tools & { view: View },
  most: number
): Reduced {
  const { view } = tools
  const refs = new Set(view.refsOf(whole))
  let kept = 0
  return { schema: reduce(whole, value), refs }

  /** `isEvaluated`: whether an outer schema depends on which properties or items this one names. */
  function reduce(schema: JsonSchema, one: unknown, isEvaluated = false): JsonSchema {
    if (typeof schema === 'boolean') return schema
    if (!isEvaluated && accepts(schema, one, tools)) return true
    const inner =
      isEvaluated ||
      schema.unevaluatedProperties !== undefined ||
      schema.unevaluatedItems !== undefined
    const { $ref, properties, items, prefixItems, ...rest } = schema
    const reduced: SchemaObject = rest
    const all = [...(schema.allOf ?? []), ...($ref === undefined ? [] : [open($ref)])]
    if (all.length > 0) reduced.allOf = all.map((each) => reduce(each, one, inner))
    for (const union of ['anyOf', 'oneOf'] as const) {
      const branches = schema[union]?.map((each) => reduce(each, one, inner))
      if (branches !== undefined) reduced[union] = branches
    }
    if (isObject(one) && properties !== undefined) {
      const present = Object.entries(properties).filter(([name]) => Object.hasOwn(one, name))
      const values = reduceEach(present.map(([name, each]) => [each, one[name]]))
      reduced.properties = Object.fromEntries(
        present.map(([name], index) => [name, values[index] ?? true])
      )
    }
    if (Array.isArray(one)) Object.assign(reduced, reduceItems(schema, one))
    return reduced
  }

  function open(ref: string): JsonSchema {
    const schema = view.resolve(ref)
    for (const next of view.refsOf(schema)) refs.add(next)
    return schema
  }

  function reduceItems({ items, prefixItems = [] }: SchemaObject, values: unknown[]): SchemaObject {
    const described = items === undefined ? values.slice(0, prefixItems.length) : values
    const all = reduceEach(
      described.map((one, index) => [prefixItems[index] ?? items ?? true, one])
    )
    const last = all.findLastIndex((schema) => schema !== true)
    return {
      prefixItems: items === undefined ? all : all.slice(0, last + 1),
      ...(items === undefined ? {} : { items: true })
    }
  }

  /** Keeps the first schema that is not satisfied, so that the schema around it is neither. */
  function reduceEach(pairs: readonly (readonly [JsonSchema, unknown])[]): JsonSchema[] {
    let isFirst = true
    return pairs.map(([schema, one]) => {
      if (!isFirst && kept >= most) return true
      const reduced = reduce(schema, one)
      if (reduced === true) return true
      isFirst = false
      kept += 1
      return reduced
    })
  }
}
