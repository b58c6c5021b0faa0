import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSchemas } from '../../schema/schemas.ts'
import type { Json, JsonObject } from '../json.ts'
import { upgrade } from '../upgrade.ts'
import { downgrade } from './downgrade.ts'
import { withoutLater } from './later.ts'

interface Row {
  what: string
  schema: Json
  becomes: Json
  /** Every value has the same validity in both versions, unless a loss is reported. */
  told?: readonly string[]
  values: readonly Json[]
}

const INFO = { title: 't', version: '1' }
const others = { schemas: { Other: { type: 'object', required: ['o'] } } }

const rows: readonly Row[] = [
  {
    what: 'a type or null',
    schema: { type: ['string', 'null'], minLength: 2 },
    becomes: { type: 'string', minLength: 2, nullable: true },
    values: ['ab', 'a', null, 1]
  },
  {
    what: 'several types',
    schema: { type: ['string', 'integer'], minimum: 3, minLength: 2 },
    becomes: { minimum: 3, minLength: 2, anyOf: [{ type: 'string' }, { type: 'integer' }] },
    values: ['ab', 'a', 3, 2, null, true]
  },
  {
    what: 'several types or null, beside anyOf',
    schema: { type: ['array', 'integer', 'null'], anyOf: [{ minimum: 2 }] },
    becomes: {
      anyOf: [{ minimum: 2 }],
      allOf: [{ anyOf: [{ type: 'array', items: {}, nullable: true }, { type: 'integer' }] }]
    },
    values: [[], 2, 1, null, 'x']
  },
  {
    what: 'null alone',
    schema: { type: 'null' },
    becomes: { type: 'string', nullable: true, enum: [null] },
    values: [null, 'x', '', 0]
  },
  {
    what: 'one schema or null',
    schema: { anyOf: [{ type: 'integer', enum: [1, 2] }, { type: 'null' }], description: 'd' },
    becomes: { type: 'integer', enum: [1, 2, null], description: 'd', nullable: true },
    values: [1, 3, null]
  },
  {
    what: 'a reference or null',
    schema: { oneOf: [{ $ref: '#/components/schemas/Other' }, { type: 'null' }] },
    becomes: {
      oneOf: [
        { $ref: '#/components/schemas/Other' },
        { type: 'string', nullable: true, enum: [null] }
      ]
    },
    values: [{ o: 1 }, {}, null, 'x']
  },
  {
    what: 'a reference with company',
    schema: { $ref: '#/components/schemas/Other', description: 'd', required: ['p'] },
    becomes: {
      description: 'd',
      required: ['p'],
      allOf: [{ $ref: '#/components/schemas/Other' }]
    },
    values: [{ o: 1 }, { o: 1, p: 1 }, { p: 1 }]
  },
  {
    what: 'a constant',
    schema: { const: 'x' },
    becomes: { enum: ['x'] },
    values: ['x', 'y', null]
  },
  {
    what: 'the constant null',
    schema: { const: null },
    becomes: { type: 'string', nullable: true, enum: [null] },
    values: [null, 'x']
  },
  {
    what: 'bounds',
    schema: { exclusiveMinimum: 1, exclusiveMaximum: 9, minimum: 0, maximum: 8 },
    becomes: { minimum: 1, exclusiveMinimum: true, maximum: 8 },
    values: [0, 1, 2, 8, 9]
  },
  {
    what: 'true and false',
    schema: { properties: { a: true, b: false }, additionalProperties: false },
    becomes: { properties: { a: {}, b: { not: {} } }, additionalProperties: false },
    values: [{ a: 1 }, { b: 1 }, { c: 1 }, {}]
  },
  {
    what: 'if, then, else',
    schema: JSON.parse('{"if":{"type":"integer"},"then":{"minimum":5},"else":{"type":"string"}}'),
    becomes: {
      allOf: [
        { anyOf: [{ not: { type: 'integer' } }, { minimum: 5 }] },
        { anyOf: [{ type: 'integer' }, { type: 'string' }] }
      ]
    },
    values: [5, 4, 'x', true, null]
  },
  {
    what: 'what depends on a property',
    schema: {
      dependentRequired: { a: ['b'] },
      dependentSchemas: { c: { properties: { d: { type: 'integer' } } } }
    },
    becomes: {
      allOf: [
        { anyOf: [{ not: { type: 'object', required: ['a'] } }, { required: ['b'] }] },
        {
          anyOf: [
            { not: { type: 'object', required: ['c'] } },
            { properties: { d: { type: 'integer' } } }
          ]
        }
      ]
    },
    values: [{ a: 1 }, { a: 1, b: 1 }, { c: 1, d: 'x' }, { d: 'x' }, { c: 1, d: 1 }, 'x', [], null]
  },
  {
    what: 'a list that contains',
    schema: { contains: { type: 'integer' } },
    becomes: { allOf: [{ not: { type: 'array', items: { not: { type: 'integer' } } } }] },
    values: [[], [1], ['a', 1], ['a'], 'x', {}]
  },
  {
    what: 'no further properties, evaluated or not',
    schema: { properties: { a: { type: 'integer' } }, unevaluatedProperties: false },
    becomes: { properties: { a: { type: 'integer' } }, additionalProperties: false },
    values: [{ a: 1 }, { b: 1 }, {}]
  },
  {
    what: 'a list without items, and empty lists of words',
    schema: { type: 'array', required: [] },
    becomes: { type: 'array', items: {} },
    values: [[], [1], {}]
  },
  {
    what: 'a tuple of fixed length',
    schema: { prefixItems: [{ type: 'integer' }, { type: 'string' }], items: false },
    becomes: { items: { anyOf: [{ type: 'integer' }, { type: 'string' }] }, maxItems: 2 },
    told: ['OpenAPI 3.0 has no prefixItems; every item may match any of them'],
    values: [[1, 'a'], [1]]
  },
  {
    what: 'properties by pattern',
    schema: { patternProperties: { '^x': { type: 'integer' } }, additionalProperties: false },
    becomes: { additionalProperties: { type: 'integer' } },
    told: ['OpenAPI 3.0 has no patternProperties; every additional property may match any of them'],
    values: [{ x: 1 }, {}]
  },
  {
    what: 'several examples',
    schema: { type: 'string', examples: ['a', 'b'] },
    becomes: { type: 'string', example: 'a' },
    told: ['An OpenAPI 3.0 schema has one example; the first one was kept'],
    values: ['x', 1]
  },
  {
    what: 'bytes',
    schema: {
      properties: {
        a: { type: 'string', contentEncoding: 'base64' },
        b: { type: 'string', contentMediaType: 'application/octet-stream' }
      }
    },
    becomes: {
      properties: { a: { type: 'string', format: 'byte' }, b: { type: 'string', format: 'binary' } }
    },
    values: [{ a: 'eA==' }]
  },
  {
    what: 'words that 3.0 does not know',
    schema: {
      type: 'object',
      propertyNames: { maxLength: 3 },
      $comment: 'c',
      made: 'up',
      'x-a': 1
    },
    becomes: { type: 'object', 'x-a': 1 },
    told: [
      'OpenAPI 3.0 has no propertyNames',
      'OpenAPI 3.0 has no $comment',
      'OpenAPI 3.0 has no made'
    ],
    values: [{ a: 1 }]
  }
]

function documentOf(schema: Json): JsonObject {
  const components = { schemas: { ...others.schemas, Tested: schema } }
  return { openapi: '3.1.0', info: INFO, paths: {}, components }
}

function verdicts(document: JsonObject, values: readonly Json[]): boolean[] {
  const found = createSchemas(document).find('#/components/schemas/Tested', 'request')
  assert.ok(found.ok)
  return values.map((value) => found.compiled.validate(value).length === 0)
}

describe('schemas of 3.1 are converted to 3.0', () => {
  for (const { what, schema, becomes, told = [], values } of rows) {
    test(what, async () => {
      const lines: string[] = []
      const older = downgrade(documentOf(schema), (_path, text) => lines.push(text))
      assert.deepEqual((older.components as JsonObject).schemas, {
        ...others.schemas,
        Tested: becomes
      })
      assert.deepEqual(lines, told)
      const again = await upgrade(older, '')
      assert.deepEqual(verdicts(again, values), verdicts(documentOf(schema), values))
    })
  }
})

test('the rest of a document', () => {
  const told: string[] = []
  const older = downgrade(
    {
      openapi: '3.1.0',
      jsonSchemaDialect: 'https://example.com/dialect',
      info: {
        ...INFO,
        summary: 's',
        description: 'd',
        license: { name: 'MIT', identifier: 'MIT' }
      },
      security: [{ tls: [], key: ['admin'] }],
      paths: {
        '/a': {
          get: { security: [{ tls: [] }], responses: { 200: { $ref: '#/x', description: 'd' } } },
          put: {}
        }
      },
      webhooks: { w: {} },
      components: {
        pathItems: { p: {} },
        securitySchemes: {
          tls: { type: 'mutualTLS' },
          key: { type: 'apiKey', in: 'header', name: 'k' }
        }
      }
    },
    (path, text) => told.push(`${path.join('/')}: ${text}`)
  )
  assert.deepEqual(older, {
    openapi: '3.0.4',
    info: {
      ...INFO,
      description: 'd',
      license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' }
    },
    security: [{ key: [] }],
    paths: {
      '/a': {
        get: { security: [{}], responses: { 200: { $ref: '#/x' } } },
        put: { responses: { default: { description: 'Any response' } } }
      }
    },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'k' } } },
    'x-webhooks': { w: {} }
  })
  assert.deepEqual(told, [
    'paths//a/get/responses/200: OpenAPI 3.0 does not allow description next to a reference',
    'paths//a/put: OpenAPI 3.0 requires a response; a default response was added',
    'components/securitySchemes/tls: OpenAPI 3.0 has no security scheme of type mutualTLS',
    'security/0: The requirements without that scheme are weaker',
    'security/0/key: OpenAPI 3.0 has no roles for this type of scheme',
    'paths//a/get/security/0: The requirements without that scheme are weaker',
    'jsonSchemaDialect: OpenAPI 3.0 supports only one schema dialect',
    'webhooks: OpenAPI 3.0 has no webhooks; they were moved to x-webhooks',
    'info/summary: OpenAPI 3.0 has no summary next to the description'
  ])
})

test('a document of 3.2 is converted to 3.1', () => {
  const told: string[] = []
  const document = withoutLater(
    {
      openapi: '3.2.0',
      $self: 'https://example.com/',
      info: INFO,
      tags: [{ name: 'a', kind: 'nav' }],
      servers: [{ url: '/', name: 'here' }],
      paths: { '/a': { query: {}, get: { responses: { 200: { summary: 's' } } } } }
    },
    (path, text) => told.push(`${path.join('/')}: ${text}`)
  )
  assert.deepEqual(document, {
    openapi: '3.1.1',
    info: INFO,
    tags: [{ name: 'a' }],
    servers: [{ url: '/' }],
    paths: { '/a': { get: { responses: { 200: { description: '' } } } } }
  })
  assert.deepEqual(told, [
    '$self: OpenAPI 3.1 has no $self here',
    'paths//a/query: OpenAPI 3.1 has no query here',
    'paths//a/get/responses/200/summary: OpenAPI 3.1 has no summary here',
    'tags/0/kind: OpenAPI 3.1 has no kind here',
    'servers/0/name: OpenAPI 3.1 has no name here'
  ])
})
