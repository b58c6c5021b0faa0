import type { OpenapiPart } from '../../../kernel/openapi.ts'

interface InputSchema {
  readonly [keyword: string]: unknown
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, InputSchema>>
  readonly items?: InputSchema
  readonly notOffered?: string
}

/** Keywords of our own. */
const OWN: readonly string[] = ['notOffered', 'messages']
const ALTERNATIVES: readonly string[] = ['anyOf', 'oneOf', 'allOf']
const NESTED: readonly string[] = ['additionalProperties', 'propertyNames', 'not']

/** Whether the service rejects the field with a sentence. */
export function isOffered(schema: object): boolean {
  return !('notOffered' in schema)
}

/**
 * The schema of a body as clients may send it: without the fields that are rejected, and with one
 * value instead of an array of one.
 */
export function publishBody(schema: object): OpenapiPart {
  return publish(schema as InputSchema, true)
}

/** The same for a parameter; the query has no difference between one value and an array of one. */
export function publishParameter(schema: object): OpenapiPart {
  return publish(schema as InputSchema, false)
}

function publish(schema: InputSchema, hasSingles: boolean): OpenapiPart {
  const entries = Object.entries(schema)
    .filter(([keyword]) => !OWN.includes(keyword))
    .map(([keyword, value]) => [keyword, publishKeyword(keyword, value, hasSingles)])
  const published = Object.fromEntries(entries)
  const { items, default: initial } = published
  if (!hasSingles || schema.type !== 'array' || items === undefined) return published
  const { default: _, ...array } = published
  return { anyOf: [items, array], ...(initial !== undefined && { default: initial }) }
}

function publishKeyword(keyword: string, value: unknown, hasSingles: boolean): unknown {
  if (keyword === 'properties') {
    const offered = Object.entries(value as Record<string, InputSchema>).filter(([, property]) =>
      isOffered(property)
    )
    return Object.fromEntries(
      offered.map(([name, property]) => [name, publish(property, hasSingles)])
    )
  }
  if (ALTERNATIVES.includes(keyword)) {
    const parts = (value as InputSchema[]).filter(isOffered)
    return parts.map((part) => publish(part, hasSingles))
  }
  const isSchema = typeof value === 'object' && value !== null
  if (keyword === 'items' || (NESTED.includes(keyword) && isSchema)) {
    return publish(value as InputSchema, hasSingles)
  }
  return value
}
