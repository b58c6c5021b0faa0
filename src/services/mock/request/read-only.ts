import type { Schemas, Violation } from '../schema/schemas.ts'
import { createSchemaSummaries, type SchemaSummary, type Shapes } from './schema-summary.ts'

export type NameReadOnly = (violations: readonly Violation[]) => readonly Violation[]

/**
 * Requests have no readOnly properties, so a sent one violates `additionalProperties`. The author
 * did define it: it is part of the response side of the same schema.
 */
export function createNameReadOnly(
  reference: string | undefined,
  schemas: Schemas,
  shapes: Shapes
): NameReadOnly {
  let responses: Shapes | undefined
  return (violations) => {
    if (reference === undefined || !violations.some(isSurplus)) return violations
    responses ??= createSchemaSummaries(schemas.view('response'))
    const request = shapes.at(reference)
    const response = responses.at(reference)
    return violations.map((violation) => {
      const name = surplusIn(violation)
      const { path } = violation
      if (name === undefined || memberAt(request, path)?.names.includes(name)) return violation
      if (!memberAt(response, path)?.names.includes(name)) return violation
      return { path: [...path, name], keyword: 'readOnly', message: MESSAGE, params: {} }
    })
  }
}

const MESSAGE = 'is read-only and must not be sent'

function isSurplus(violation: Violation): boolean {
  return surplusIn(violation) !== undefined
}

function surplusIn({ params }: Violation): string | undefined {
  const name = params.additionalProperty ?? params.unevaluatedProperty
  return typeof name === 'string' ? name : undefined
}

function memberAt(shape: SchemaSummary, path: readonly string[]): SchemaSummary | undefined {
  let member: SchemaSummary | undefined = shape
  for (const token of path) {
    const inner: SchemaSummary | undefined = member?.property(token)
    member = inner ?? (/^\d+$/.test(token) ? member?.items : undefined)
  }
  return member
}
