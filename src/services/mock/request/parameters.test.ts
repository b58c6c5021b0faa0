import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../document/json.ts'
import { buildApi } from '../model/build.ts'
import { createSchemas } from '../schema/schemas.ts'
import { createRequestCheck } from './check.ts'

async function findings(parameters: Json[], query: string) {
  const document: JsonObject = { openapi: '3.1.0', paths: { '/a': { get: { parameters } } } }
  const [operation] = buildApi(document).operations
  assert.ok(operation)
  const { check } = createRequestCheck(operation, createSchemas(document))
  const incoming = { method: 'GET', path: '/a', query, headers: {}, body: undefined }
  return (await check(incoming, new Map())).diagnostics
}

test('findings have the location, code and message that clients expect', async () => {
  const parameters = [
    { in: 'query', name: 'Limit', schema: { type: 'integer' } },
    { in: 'query', name: 'sort', schema: { enum: ['a', 'b'] } },
    { in: 'query', name: 'q', required: true, schema: {} },
    { in: 'query', name: 'old', deprecated: true, schema: {} },
    { in: 'query', name: 'list', schema: { type: 'array', items: { type: 'integer' } } }
  ]
  const error = { severity: 'Error' }
  assert.deepEqual(await findings(parameters, 'LIMIT=x&sort=c&old=1&list=1&list=x'), [
    {
      location: ['query', 'old'],
      severity: 'Warning',
      code: 'deprecated',
      message: 'Query param old is deprecated'
    },
    {
      location: ['query'],
      ...error,
      code: 'required',
      message: "Request query must have required property 'q'"
    },
    {
      location: ['query', 'limit'],
      ...error,
      code: 'type',
      message: 'Request query parameter limit must be integer'
    },
    {
      location: ['query', 'sort'],
      ...error,
      code: 'enum',
      message: 'Request query parameter sort must be equal to one of the allowed values: a, b'
    },
    {
      location: ['query', 'list', '1'],
      ...error,
      code: 'type',
      message: 'Request query parameter list.1 must be integer'
    }
  ])
})

test('a deprecated parameter that is not sent is not reported', async () => {
  assert.deepEqual(await findings([{ in: 'query', name: 'old', deprecated: true }], ''), [])
})

test('names of a prototype are ordinary names', async () => {
  const parameters = ['constructor', '__proto__', 'toString'].map((name) => ({
    in: 'query',
    name,
    required: true,
    schema: { type: 'integer' }
  }))
  assert.deepEqual(await findings(parameters, 'constructor=1&__proto__=2&tostring=3'), [])
  const missing = await findings(parameters, '')
  assert.deepEqual(
    missing.map(({ code }) => code),
    ['required', 'required', 'required']
  )
})

test('a schema that cannot be used does not prevent checks of the other parameters', async () => {
  const parameters = [
    { in: 'query', name: 'bad', schema: { $ref: '#/components/schemas/Nowhere' } },
    { in: 'query', name: 'n', schema: { type: 'integer' } }
  ]
  const found = await findings(parameters, 'bad=1&n=x')
  assert.deepEqual(
    found.map(({ location }) => location),
    [['query', 'n']]
  )
})
