/** What the service itself answers; everything else is in the documents it mocks. */
export function openapi(baseUrl: string): object {
  const status = (word: string) => ({
    type: 'object',
    required: ['status'],
    properties: { status: { const: word } }
  })
  const json = (schema: object, description: string) => ({
    description,
    content: { 'application/json': { schema } }
  })
  return {
    openapi: '3.1.0',
    info: {
      title: 'nonet mock',
      version: '1.0.0',
      description: 'Mocks the API of an OpenAPI document; these are the addresses of its own.'
    },
    servers: [{ url: baseUrl }],
    paths: {
      '/__nonet/healthz': {
        get: { operationId: 'getHealth', responses: { 200: json(status('ok'), 'It runs.') } }
      },
      '/__nonet/readyz': {
        get: { operationId: 'getReady', responses: { 200: json(status('ready'), 'It serves.') } }
      },
      '/__nonet/operations': {
        get: {
          operationId: 'listOperations',
          summary: 'Operations of the mocked documents, each with an address to try',
          responses: { 200: json(OPERATIONS, 'In the order of the documents.') }
        }
      }
    }
  }
}

const TEXT_OR_NULL = { type: ['string', 'null'] }

const OPERATIONS = {
  type: 'object',
  required: ['operations'],
  properties: {
    operations: {
      type: 'array',
      items: {
        type: 'object',
        required: ['method', 'path', 'operationId', 'summary', 'document', 'statuses', 'url'],
        additionalProperties: false,
        properties: {
          method: { type: 'string' },
          path: { type: 'string' },
          operationId: TEXT_OR_NULL,
          summary: TEXT_OR_NULL,
          document: { type: 'string' },
          statuses: { type: 'array', items: { type: 'string' } },
          url: { type: 'string', format: 'uri' }
        }
      }
    }
  }
}
