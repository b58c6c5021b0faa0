import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operationsOf, typeOf } from './operations.ts'

const DOCUMENT = {
  openapi: '3.1.0',
  paths: {
    '/plants/{id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      get: {
        summary: 'One plant',
        parameters: [{ name: 'fields', in: 'query', schema: { type: 'array', items: {} } }],
        responses: { 200: { $ref: '#/components/responses/Plant' }, default: { description: '' } }
      },
      put: {
        description: 'Replaces the plant. All members are needed.',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/x/Plant' } } } },
        responses: {}
      }
    },
    '/plants/{id}/': { get: { responses: { 204: { description: 'Nothing more' } } } },
    '/broken': { get: 'text', post: { parameters: 'none', responses: null } },
    '/circle': { $ref: '#/paths/~1circle' }
  },
  components: {
    parameters: {
      Id: {
        name: 'id',
        in: 'path',
        required: true,
        schema: { type: 'integer' },
        description: 'Its id'
      }
    },
    responses: {
      Plant: {
        description: 'The plant',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Plant' } } }
      }
    }
  }
}

describe('operations of an OpenAPI document', () => {
  const operations = operationsOf(DOCUMENT)

  test('are listed in the order of the document, each with an anchor of its own', () => {
    assert.deepEqual(
      operations.map(({ id, method, path, summary }) => [id, method, path, summary]),
      [
        ['get-plants-id', 'GET', '/plants/{id}', 'One plant'],
        ['put-plants-id', 'PUT', '/plants/{id}', 'Replaces the plant.'],
        ['get-plants-id-2', 'GET', '/plants/{id}/', 'Nothing more'],
        ['post-broken', 'POST', '/broken', '']
      ]
    )
  })

  test('have the parameters of their path and their own, and resolved responses', () => {
    const [get, put] = operations
    assert.deepEqual(get?.parameters, [
      { name: 'id', location: 'path', isRequired: true, type: 'integer', description: 'Its id' },
      { name: 'fields', location: 'query', isRequired: false, type: 'any[]', description: '' }
    ])
    assert.deepEqual(get?.responses, [
      {
        status: '200',
        description: 'The plant',
        content: [{ mediaType: 'application/json', type: 'Plant' }]
      },
      { status: 'default', description: '', content: [] }
    ])
    assert.deepEqual(put?.body, [{ mediaType: 'application/json', type: 'Plant' }])
  })

  test('a document without paths has none', () => {
    assert.deepEqual(operationsOf({}), [])
    assert.deepEqual(operationsOf(null), [])
  })

  test('schemas have short names', () => {
    const schemas = [
      { $ref: '#/components/schemas/Person' },
      { type: 'array', items: { $ref: '#/components/schemas/Person' } },
      { enum: ['asc', 'desc', 1] },
      { const: 'on' },
      { type: ['string', 'null'] },
      { oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'string' }] },
      {},
      true
    ]
    assert.deepEqual(schemas.map(typeOf), [
      ...['Person', 'Person[]', 'asc | desc | 1', '"on"'],
      ...['string | null', 'string | integer', '', '']
    ])
  })
})
