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
  const resetResponses = () => ({
    200: json(
      { type: 'object', required: ['reset'], properties: { reset: { type: 'string' } } },
      'Back to the seed.'
    ),
    404: { description: 'Nothing is kept.' }
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
      '/__nonet/state': {
        get: {
          operationId: 'showState',
          summary: 'Collections that keep what is written, or the records of one',
          parameters: [SESSION, { name: 'path', in: 'query', schema: { type: 'string' } }],
          responses: {
            200: json({ oneOf: [STATE, RECORDS] }, 'As it is right now.'),
            404: { description: 'Nothing is kept, or there is no such collection.' }
          }
        },
        delete: { ...RESET, operationId: 'resetState', responses: resetResponses() }
      },
      '/__nonet/state/reset': {
        post: { ...RESET, operationId: 'resetStateToo', responses: resetResponses() }
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

const SESSION = { name: 'session', in: 'query', schema: { type: 'string' } }

const RESET = { summary: 'Back to the seed: one session, or everything', parameters: [SESSION] }

const RECORDS = {
  type: 'object',
  required: ['path', 'records'],
  properties: {
    path: { type: 'string' },
    records: { type: 'array', items: { type: 'object' } }
  }
}

const STATE = {
  type: 'object',
  required: ['collections', 'sessions'],
  properties: {
    collections: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'document', 'actions', 'id', 'places'],
        properties: {
          path: { type: 'string' },
          document: { type: 'string' },
          actions: {
            type: 'array',
            items: { enum: ['list', 'create', 'read', 'replace', 'patch', 'remove'] }
          },
          id: { type: ['string', 'null'] },
          places: {
            type: 'array',
            items: {
              type: 'object',
              required: ['path', 'records'],
              properties: { path: { type: 'string' }, records: { type: 'integer' } }
            }
          }
        }
      }
    },
    sessions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['session', 'records', 'bytes', 'usedAt'],
        properties: {
          session: { type: 'string' },
          records: { type: 'integer' },
          bytes: { type: 'integer' },
          usedAt: { type: 'string', format: 'date-time' }
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
