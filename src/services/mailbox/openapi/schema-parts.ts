/** Parts of the schemas of responses. */
import type { OpenapiPart } from '../../../kernel/openapi.ts'

export const TEXT: OpenapiPart = { type: 'string' }
export const OPTIONAL: OpenapiPart = { type: ['string', 'null'] }
export const COUNT: OpenapiPart = { type: 'integer', minimum: 0 }
export const FLAG: OpenapiPart = { type: 'boolean' }
export const TIME: OpenapiPart = { type: 'string', format: 'date-time' }
export const TRUE: OpenapiPart = { const: true }

export function object(required: OpenapiPart, optional: OpenapiPart = {}): OpenapiPart {
  return {
    type: 'object',
    required: Object.keys(required),
    properties: { ...required, ...optional },
    additionalProperties: false
  }
}

export function array(items: OpenapiPart): OpenapiPart {
  return { type: 'array', items }
}

/** Fields of a list with pages. */
export function page(name: string, items: OpenapiPart): OpenapiPart {
  return { total: COUNT, page: COUNT, pages: COUNT, [name]: array(items) }
}
