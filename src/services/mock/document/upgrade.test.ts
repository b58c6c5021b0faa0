import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UserError } from '../../../kernel/errors.ts'
import type { Json, JsonObject } from './json.ts'
import { findAt } from './pointer.ts'
import { upgrade } from './upgrade.ts'

async function upgradeSchema(schema: Json): Promise<Json | undefined> {
  const document = await upgrade(
    { openapi: '3.0.3', components: { schemas: { A: schema } } },
    'here'
  )
  return findAt(document, ['components', 'schemas', 'A'])
}

const SCHEMAS: [string, Json, Json][] = [
  ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
  ['not nullable', { type: 'string', nullable: false }, { type: 'string' }],
  [
    'a nullable enumeration',
    { type: 'string', nullable: true, enum: ['a'] },
    { type: ['string', 'null'], enum: ['a', null] }
  ],
  [
    'nullable beside a combination',
    { nullable: true, allOf: [{ $ref: '#/components/schemas/B' }] },
    { anyOf: [{ allOf: [{ $ref: '#/components/schemas/B' }] }, { type: 'null' }] }
  ],
  [
    'exclusive bounds',
    { minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false },
    { exclusiveMinimum: 1, maximum: 5 }
  ],
  ['an exclusive bound without a bound', { exclusiveMinimum: true }, {}],
  [
    'tuples',
    { items: [{ type: 'string' }], additionalItems: false },
    { prefixItems: [{ type: 'string' }], items: false }
  ],
  [
    'assertions next to a reference had no meaning',
    { $ref: '#/components/schemas/B', minLength: 3, description: 'kept' },
    { $ref: '#/components/schemas/B', description: 'kept' }
  ],
  [
    'at every depth',
    { properties: { a: { items: { type: 'integer', nullable: true } } } },
    { properties: { a: { items: { type: ['integer', 'null'] } } } }
  ],
  ['an example is not a schema', { example: { nullable: true } }, { example: { nullable: true } }]
]

for (const [name, before, after] of SCHEMAS) {
  test(`3.0 schema: ${name}`, async () => {
    assert.deepEqual(await upgradeSchema(before), after)
  })
}

test('a document of version 3.1 is unchanged', async () => {
  const document: JsonObject = {
    openapi: '3.1.0',
    components: { schemas: { A: { type: 'string', nullable: true } } }
  }
  assert.deepEqual(await upgrade(document, 'here'), document)
})

test('an unquoted version in YAML is a number', async () => {
  assert.equal((await upgrade({ openapi: 3.1 }, 'here')).openapi, '3.1')
  assert.equal((await upgrade({ openapi: 3 }, 'here')).openapi, '3.1.1')
})

test('other documents are rejected', async () => {
  await assert.rejects(upgrade({ asyncapi: '2.0.0' }, 'here'), UserError)
})

async function upgradeOperation(operation: JsonObject, rest: JsonObject = {}): Promise<JsonObject> {
  const document = await upgrade(
    { swagger: '2.0', ...rest, paths: { '/a': { post: operation } } },
    'here'
  )
  return findAt(document, ['paths', '/a', 'post']) as JsonObject
}

test('2.0: a body has one content for each type consumed, forms aside', async () => {
  const { requestBody } = await upgradeOperation({
    consumes: ['application/json', 'text/xml', 'multipart/form-data'],
    parameters: [{ in: 'body', name: 'b', required: true, schema: { $ref: '#/definitions/P' } }]
  })
  const media = { schema: { $ref: '#/components/schemas/P' } }
  assert.deepEqual(requestBody, {
    content: { 'application/json': media, 'text/xml': media },
    required: true
  })
})

test('2.0: form fields become the properties of one object', async () => {
  const { requestBody, parameters } = await upgradeOperation({
    consumes: ['multipart/form-data'],
    parameters: [
      { in: 'formData', name: 'file', type: 'file', required: true },
      { in: 'formData', name: 'tags', type: 'array', items: { type: 'string' } },
      { in: 'formData', name: 'note', type: 'string', allowEmptyValue: false }
    ]
  })
  assert.deepEqual(parameters, [])
  assert.deepEqual(requestBody, {
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: {
            file: { type: 'string', format: 'binary' },
            tags: { type: 'array', items: { type: 'string' } },
            note: { type: 'string', minLength: 1 }
          },
          required: ['file']
        },
        encoding: { tags: { style: 'form', explode: false } }
      }
    },
    required: true
  })
})

const FORMATS: [string, string, JsonObject][] = [
  ['query', 'csv', { style: 'form', explode: false }],
  ['query', 'ssv', { style: 'spaceDelimited', explode: false }],
  ['query', 'pipes', { style: 'pipeDelimited', explode: false }],
  ['query', 'multi', { style: 'form', explode: true }],
  ['query', 'tsv', { style: 'form', explode: false, 'x-nonet-delimiter': '\t' }],
  ['path', 'csv', { style: 'simple', explode: false }],
  ['header', 'pipes', { style: 'simple', explode: false, 'x-nonet-delimiter': '|' }]
]
for (const [location, collectionFormat, style] of FORMATS) {
  test(`2.0: ${collectionFormat} in ${location}`, async () => {
    const { parameters } = await upgradeOperation({
      parameters: [
        { in: location, name: 'n', type: 'array', items: { type: 'integer' }, collectionFormat }
      ]
    })
    assert.deepEqual(parameters, [
      {
        name: 'n',
        in: location,
        schema: { type: 'array', items: { type: 'integer' } },
        ...(location === 'path' ? { required: true } : {}),
        ...style
      }
    ])
  })
}

test('2.0: shared parameters stay shared, shared bodies are inlined', async () => {
  const document = await upgrade(
    {
      swagger: '2.0',
      parameters: {
        limit: { in: 'query', name: 'limit', type: 'integer' },
        pet: { in: 'body', name: 'pet', schema: { type: 'object' } }
      },
      paths: {
        '/a': {
          parameters: [{ $ref: '#/parameters/limit' }],
          post: { parameters: [{ $ref: '#/parameters/pet' }] }
        }
      }
    },
    'here'
  )
  const operation = findAt(document, ['paths', '/a', 'post'])
  assert.deepEqual(operation, {
    parameters: [{ $ref: '#/components/parameters/limit' }],
    requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
    responses: {}
  })
  assert.deepEqual(findAt(document, ['components', 'parameters']), {
    limit: { name: 'limit', in: 'query', schema: { type: 'integer' } }
  })
})

test('2.0: the operation replaces a parameter of its path', async () => {
  const document = await upgrade(
    {
      swagger: '2.0',
      paths: {
        '/a': {
          parameters: [{ in: 'query', name: 'q', type: 'string' }],
          get: { parameters: [{ in: 'query', name: 'q', type: 'integer' }] }
        }
      }
    },
    'here'
  )
  assert.deepEqual(findAt(document, ['paths', '/a', 'get', 'parameters']), [
    { name: 'q', in: 'query', schema: { type: 'integer' } }
  ])
})

test('2.0: responses have one content for each type produced, with its examples', async () => {
  const { responses } = await upgradeOperation(
    {
      produces: ['application/json', 'application/xml'],
      responses: {
        200: {
          description: 'ok',
          schema: { type: 'string', 'x-nullable': true },
          examples: { 'application/xml': '<a/>', 'text/csv': 'a,b' },
          headers: { 'X-Rate': { type: 'array', items: { type: 'integer' } } }
        },
        default: { $ref: '#/responses/Failed' }
      }
    },
    { responses: { Failed: { description: 'failed', schema: { type: 'object' } } } }
  )
  const schema = { type: ['string', 'null'] }
  assert.deepEqual(responses, {
    200: {
      description: 'ok',
      headers: {
        'X-Rate': {
          schema: { type: 'array', items: { type: 'integer' } },
          style: 'simple',
          explode: false
        }
      },
      content: {
        'application/json': { schema, example: 'a,b' },
        'application/xml': { schema, example: '<a/>' }
      }
    },
    default: {
      description: 'failed',
      content: {
        'application/json': { schema: { type: 'object' } },
        'application/xml': { schema: { type: 'object' } }
      }
    }
  })
})

test('2.0: without a produced type the examples name the types', async () => {
  const examples = { 'text/csv': 'a,b', 'application/json': 1, 'x-note': 'none' }
  const { responses } = await upgradeOperation({
    responses: { 200: { description: '', schema: { type: 'integer' }, examples } }
  })
  const schema = { type: 'integer' }
  const content = {
    'text/csv': { schema, example: 'a,b' },
    'application/json': { schema, example: 1 }
  }
  assert.deepEqual(responses, { 200: { description: '', content } })
})

test('2.0: without a produced type and examples there is no content', async () => {
  const { responses } = await upgradeOperation({
    responses: { 200: { description: '', schema: {} } }
  })
  assert.deepEqual(responses, { 200: { description: '' } })
})

test('2.0: an empty array of the operation replaces the types of the document', async () => {
  const { responses } = await upgradeOperation(
    { produces: [], responses: { 200: { description: '', schema: {} } } },
    { produces: ['application/json'] }
  )
  assert.deepEqual(responses, { 200: { description: '' } })
})

const SERVERS: [JsonObject, JsonObject[]][] = [
  [
    { host: 'a.io', basePath: '/v1/', schemes: ['https', 'http'] },
    [{ url: 'https://a.io/v1' }, { url: 'http://a.io/v1' }]
  ],
  [{ host: 'a.io' }, []],
  [{ basePath: '/v1' }, [{ url: '/v1' }]],
  [{ basePath: '/' }, []]
]
for (const [source, servers] of SERVERS) {
  test(`2.0: servers of ${JSON.stringify(source)}`, async () => {
    assert.deepEqual(
      (await upgrade({ swagger: '2.0', ...source, paths: {} }, 'here')).servers,
      servers
    )
  })
}

test('2.0: security definitions', async () => {
  const document = await upgrade(
    {
      swagger: '2.0',
      paths: {},
      securityDefinitions: {
        basic: { type: 'basic' },
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        code: { type: 'oauth2', flow: 'accessCode', authorizationUrl: '/a', tokenUrl: '/t' }
      }
    },
    'here'
  )
  assert.deepEqual(findAt(document, ['components', 'securitySchemes']), {
    basic: { type: 'http', scheme: 'basic' },
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    code: {
      type: 'oauth2',
      flows: { authorizationCode: { authorizationUrl: '/a', tokenUrl: '/t', scopes: {} } }
    }
  })
})
