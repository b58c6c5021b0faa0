import {
  content,
  ERROR_PAGES,
  inPath,
  inQuery,
  requestBody,
  response
} from '../../kernel/openapi.ts'
import { JSON_TYPE } from './contract.ts'

const RESULT = {
  type: 'object',
  description: 'The GraphQL response; the query determines the fields of `data`.',
  properties: {
    data: { type: ['object', 'null'] },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['message'],
        properties: {
          message: { type: 'string' },
          locations: { type: 'array' },
          path: { type: 'array' },
          extensions: { type: 'object', properties: { code: { type: 'string' } } }
        }
      }
    }
  }
}

const REQUEST = {
  type: 'object',
  required: ['query'],
  properties: {
    query: { type: 'string' },
    operationName: { type: ['string', 'null'] },
    variables: { type: ['object', 'null'] },
    extensions: { type: ['object', 'null'] }
  }
}

const RECORD = {
  type: 'object',
  description: 'A country with its languages; everything else is in the GraphQL schema.'
}

/** Describes the HTTP endpoints; the fields are defined by the GraphQL schema. */
export function describeApi(baseUrl: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'countries',
      version: '1.0.0',
      description: `GraphQL on countries, continents and languages. ${ERROR_PAGES}`,
      license: { name: 'MIT', identifier: 'MIT' }
    },
    externalDocs: { description: 'The GraphQL schema', url: `${baseUrl}/schema.graphql` },
    servers: [{ url: baseUrl }],
    paths: {
      '/': {
        post: {
          operationId: 'runQuery',
          summary: 'Run a GraphQL query',
          requestBody: requestBody({ oneOf: [REQUEST, { type: 'array', items: REQUEST }] }),
          responses: results({ anyOf: [RESULT, { type: 'array', items: RESULT }] })
        },
        get: {
          operationId: 'runQueryByLink',
          summary: 'Run a GraphQL query, or open the playground in a browser',
          parameters: ['query', 'operationName', 'variables', 'extensions'].map((name) =>
            inQuery(name)
          ),
          responses: results(RESULT, content({ type: 'string' }, 'text/html; charset=utf-8'))
        }
      },
      '/schema.graphql': file('readSchema', 'The schema', 'text/plain; charset=utf-8', {
        type: 'string'
      }),
      '/countries.json': file('listCountries', 'All countries', JSON_TYPE, {
        type: 'array',
        items: RECORD
      }),
      '/countries.csv': file('tabulateCountries', 'All countries', 'text/csv; charset=utf-8', {
        type: 'string'
      }),
      '/countries/{code}.json': {
        parameters: [inPath('code')],
        ...file('readCountry', 'One country', JSON_TYPE, RECORD)
      }
    }
  }
}

function results(schema: object, page: object = {}) {
  const error = inJson(RESULT)
  return {
    '200': {
      description: 'The result; for clients that accept application/json also errors',
      content: { ...inJson(schema), ...page }
    },
    '400': { description: 'The request is invalid', content: error },
    '413': { description: 'The body exceeds the limit', content: error },
    '415': response('The content type is not supported')
  }
}

function inJson(schema: object) {
  return content(schema, JSON_TYPE, 'application/graphql-response+json; charset=utf-8')
}

function file(operationId: string, summary: string, type: string, schema: object) {
  const responses = { '200': response(summary, schema, type) }
  return { get: { operationId, summary, responses } }
}
