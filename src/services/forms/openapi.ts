import { failures, JSON_TYPE, TEXT_TYPE } from './contract.ts'

const FORM_SCHEMA = {
  type: 'object',
  required: ['email', 'fullName'],
  properties: {
    email: { type: 'string', minLength: 1 },
    fullName: { type: 'string', minLength: 1 }
  }
}

const REFUSALS = [failures.bodyMissing(), failures.emailMissing(), failures.nameMissing()]

/** The function looks at neither path nor method; the document names the usual ones. */
export function openapi(baseUrl: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Form-forwarding function',
      version: '1',
      description: 'Any method on any path is answered alike; POST / stands for all of them.'
    },
    servers: [{ url: baseUrl }],
    paths: {
      '/': {
        post: {
          operationId: 'forwardForm',
          summary: 'Check the two fields and forward them to the webhook',
          requestBody: {
            required: true,
            content: { 'application/json': { schema: FORM_SCHEMA } }
          },
          responses: RESPONSES
        }
      }
    }
  }
}

const RESPONSES = {
  200: {
    description: "The webhook's data, or the first entry of the errors list it refused with",
    content: { [JSON_TYPE]: { schema: {} } }
  },
  500: {
    description: 'Body or field missing, or the string form of any other failure',
    content: { [TEXT_TYPE]: { schema: { type: 'string', examples: REFUSALS.map(String) } } }
  }
}
