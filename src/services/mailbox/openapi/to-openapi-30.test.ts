import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openapi } from '../openapi.ts'
import { toOpenapi30 } from './to-openapi-30.ts'

function schemaOf(schema: object): unknown {
  const document = { openapi: '3.1.0', components: { schemas: { Any: schema } } }
  const converted = toOpenapi30(document) as typeof document
  return converted.components.schemas.Any
}

test('types with null, constants and alternatives are written as OpenAPI 3.0 has them', () => {
  const cases: [schema: object, expected: object][] = [
    [
      { type: ['string', 'null'], maxLength: 3 },
      { type: 'string', nullable: true, maxLength: 3 }
    ],
    [{ const: true }, { enum: [true] }],
    [
      { type: ['object', 'boolean'], properties: { type: { const: 1 } } },
      { properties: { type: { enum: [1] } }, anyOf: [{ type: 'object' }, { type: 'boolean' }] }
    ],
    [
      { anyOf: [{ $ref: '#/components/schemas/Any' }, { type: 'null' }] },
      {
        anyOf: [
          { $ref: '#/components/schemas/Any' },
          { type: 'object', nullable: true, enum: [null] }
        ]
      }
    ],
    [
      { type: 'array', items: { type: ['integer', 'string', 'null'] } },
      {
        type: 'array',
        items: {
          anyOf: [
            { type: 'integer', nullable: true },
            { type: 'string', nullable: true }
          ]
        }
      }
    ],
    [
      { type: 'object', propertyNames: { maxLength: 2 }, additionalProperties: { const: 'x' } },
      { type: 'object', additionalProperties: { enum: ['x'] } }
    ]
  ]
  for (const [schema, expected] of cases) assert.deepEqual(schemaOf(schema), expected)
})

test('the document of the service has nothing left that OpenAPI 3.0 lacks', () => {
  const text = JSON.stringify(toOpenapi30(openapi('http://localhost:4006')))
  assert.match(text, /"openapi":"3\.0\.3"/)
  assert.doesNotMatch(text, /"const":|"type":\[|"type":"null"|"propertyNames":|"notOffered":/)
})
