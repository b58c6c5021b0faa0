import { requestBody, response } from '../../kernel/openapi.ts'
import { errors, JSON_TYPE, TEXT_TYPE } from './contract.ts'

const FORM_SCHEMA = {
  type: 'object',
  required: ['email', 'fullName'],
  properties: {
    email: { type: 'string', minLength: 1 },
    fullName: { type: 'string', minLength: 1 }
  },
  description: 'Other fields are dropped, except those of --forms-fields.'
}

const REJECTIONS = [errors.bodyMissing(), errors.emailMissing(), errors.nameMissing()]

/** The function ignores path and method; the document describes `POST /`. */
export function openapi(baseUrl: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Form-forwarding function',
      version: '1',
      description: 'Every method on every path behaves the same; POST / stands for all of them.'
    },
    servers: [{ url: baseUrl }],
    paths: {
      '/': {
        post: {
          operationId: 'forwardForm',
          summary: 'Validate the two fields and forward them to the webhook',
          requestBody: requestBody(FORM_SCHEMA),
          responses: RESPONSES
        }
      }
    }
  }
}

const RESPONSES = {
  200: response(
    "The webhook's data, or the first entry of the errors array of its error response",
    {},
    JSON_TYPE
  ),
  500: response(
    'The body or a field is missing, or the text of any other error',
    { type: 'string', examples: REJECTIONS.map(String) },
    TEXT_TYPE
  )
}
