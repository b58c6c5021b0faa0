import { content, inQuery, type OpenapiPart, ref, response } from '../../kernel/openapi.ts'
import type { schemas } from './openapi-schemas.ts'

/** Parts of the OpenAPI document that several endpoints share. */
export type Schema = keyof typeof schemas

export const PAGE = content({ type: 'string' }, 'text/html')
export const PROBLEM_TYPE = 'application/problem+json'

/** A reference to a schema; the type checker verifies that the schema exists. */
export function refTo(name: Schema): OpenapiPart {
  return ref(name)
}

export function problem(description: string): object {
  return response(description, refTo('Problem'), PROBLEM_TYPE)
}

export const REJECTIONS = {
  401: {
    description: 'The admin token is missing.',
    content: { ...content(refTo('Problem'), PROBLEM_TYPE), ...PAGE }
  },
  421: problem('The host name is not allowed.')
}

/** Responses of an endpoint that sends a page if the client accepts HTML, and JSON otherwise. */
export function shown(name: Schema, description: string): object {
  return { 200: { description, content: { ...content(refTo(name)), ...PAGE } }, ...REJECTIONS }
}

export const CHANGED = {
  204: { description: 'Success.' },
  303: {
    description: 'Success, for a browser.',
    headers: { Location: { required: true, schema: { type: 'string' } } }
  },
  403: problem('The request came from a page of another origin.'),
  ...REJECTIONS
}

export const LIST_PAGE = inQuery('page', 'On the page: which part of a long list to show.', {
  type: 'integer',
  minimum: 1
})
export const FORM_CONTENT = content(
  { type: 'object', additionalProperties: { type: 'string' } },
  'application/x-www-form-urlencoded'
)
export function changes(operationId: string, summary: string, more: object = {}): object {
  return { operationId, summary, responses: CHANGED, ...more }
}
