import { type OpenapiPart, operationsWith, ref, response } from '../../../kernel/openapi.ts'

export const BYTES: OpenapiPart = { type: 'string', format: 'binary' }

export function error(description: string): OpenapiPart {
  return response(description, ref('Error'))
}

/** Of all operations that need a token. */
const COMMON: OpenapiPart = {
  400: error('The request is not as described'),
  401: error('The token is missing or not accepted'),
  403: error('A page of another origin sent it, or the token does not allow it'),
  429: error('Too many requests, or too many wrong tokens')
}

export const operation = operationsWith([{}, { token: [] }], COMMON)

/** Of the API on accounts, which accepts the token in the query too. */
export const apiOperation = operationsWith([{}, { token: [] }, { tokenInQuery: [] }], COMMON)
