/**
 * Every problem of the catalogue, provoked once. Three names of the original are not among ours:
 * NO_BASE_URL_ERROR was never raised, UPSTREAM_NOT_IMPLEMENTED was internal (such calls are
 * mocked), PROXY_UNSUPPORTED_REQUEST_BODY has no cause (a body with GET is forwarded).
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { mock } from '../../src/host/mock.ts'
import { type EngineOptions, upstreamAt } from '../../src/services/mock/engine/options.ts'
import { compare, type Sent, send } from '../support/contract.ts'
import { documentOf, problem } from '../support/mock-rows.ts'
import { openMock } from '../support/mock-server.ts'
import { sendRaw } from '../support/raw-socket.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const UNUSED_PORT = 1
/** Provoked where a disk is full and a database stops: `faults/mock-state-storage.test.ts`. */
const OF_STORAGE = ['STORAGE_FULL', 'STORAGE_UNAVAILABLE']
const THING = { type: 'object', properties: { id: { type: 'string' } } }
const LARGE = JSON.stringify({ pad: 'x'.repeat(9 * 1024 * 1024) })
const provoked = new Set<string>()

function answers(content: object) {
  return { '200': { description: '', content } }
}
const secured = { get: { security: [{ basic: [] }], responses: answers({}) } }
const components = { securitySchemes: { basic: { type: 'http', scheme: 'basic' } } }
const operations = documentOf(
  {
    '/known': { get: { responses: answers({ 'application/json': { example: 1 } }) } },
    '/secured': secured,
    '/silent': { get: { responses: {} } },
    '/post': {
      post: {
        requestBody: { content: { 'application/json': { schema: {} } } },
        responses: answers({})
      }
    },
    '/needs': {
      get: {
        parameters: [{ name: 'q', in: 'query', required: true, schema: {} }],
        responses: answers({})
      }
    },
    '/endless': {
      get: {
        responses: {
          '200': {
            description: '',
            content: { 'application/json': { schema: { type: 'array', minItems: 1e9, items: {} } } }
          }
        }
      }
    },
    '/impossible': {
      get: {
        responses: answers({
          'application/json': { schema: { allOf: [{ type: 'string' }, { type: 'integer' }] } }
        })
      }
    },
    '/text': { get: { responses: answers({ 'text/plain': { example: {} } }) } },
    '/wrong': {
      get: {
        responses: answers({ 'application/json': { schema: { type: 'string' }, example: 1 } })
      }
    }
  },
  { components }
)
const withServer = { ...operations, servers: [{ url: 'https://api.example/v1' }] }
const big = 'a'.repeat(200)

interface ProblemRow {
  code: string
  status: number
  title: string
  send: Sent
  document?: object
  options?: Partial<EngineOptions>
  more?: object
  headers?: Record<string, string>
}

function post(body: string, type = 'application/json', path = '/post'): Sent {
  return { method: 'POST', path, headers: { 'content-type': type }, body }
}

const rows: ProblemRow[] = [
  {
    code: 'NO_RESOURCE_PROVIDED_ERROR',
    status: 404,
    title: 'Route not resolved, no resource provided',
    send: { path: '/' },
    document: documentOf({})
  },
  {
    code: 'NO_PATH_MATCHED_ERROR',
    status: 404,
    title: 'Route not resolved, no path matched',
    send: { path: '/nowhere' }
  },
  {
    code: 'NO_METHOD_MATCHED_ERROR',
    status: 405,
    title: 'Route resolved, but no method matched',
    send: { method: 'DELETE', path: '/known' },
    headers: { allow: 'GET, HEAD' }
  },
  {
    code: 'NO_SERVER_CONFIGURATION_PROVIDED_ERROR',
    status: 404,
    title: 'Route not resolved, no server configuration provided',
    send: { path: '/known?__server=https://api.example' }
  },
  {
    code: 'NO_SERVER_MATCHED_ERROR',
    status: 404,
    title: 'Route not resolved, no server matched',
    send: { path: '/known?__server=https://other.example' },
    document: withServer
  },
  {
    code: 'UNAUTHORIZED',
    status: 401,
    title: 'Invalid security scheme used',
    send: { path: '/secured' },
    more: { headers: { 'WWW-Authenticate': 'Basic realm="*"' } },
    headers: { 'www-authenticate': 'Basic realm="*"' }
  },
  {
    code: 'UNPROCESSABLE_ENTITY',
    status: 422,
    title: 'Invalid request',
    send: { path: '/known?__code=x' }
  },
  {
    code: 'INVALID_CONTENT_TYPE',
    status: 415,
    title: 'Invalid content type',
    send: post('a', 'text/plain')
  },
  {
    code: 'NOT_ACCEPTABLE',
    status: 406,
    title: 'The server cannot produce a representation for your accept header',
    send: { path: '/known', headers: { accept: 'image/png' } }
  },
  {
    code: 'NOT_FOUND',
    status: 404,
    title: 'The server cannot find the requested content',
    send: { path: '/known?__code=418' }
  },
  {
    code: 'NO_RESPONSE_RESPONSE_DEFINED',
    status: 500,
    title: 'No response defined for the selected operation',
    send: { path: '/silent' }
  },
  {
    code: 'SCHEMA_TOO_COMPLEX',
    status: 500,
    title: 'Schema too complex',
    send: { path: '/endless' }
  },
  {
    code: 'SCHEMA_UNSATISFIABLE',
    status: 500,
    title: 'No value found that satisfies the schema',
    send: { path: '/impossible' }
  },
  {
    code: 'NO_COMPLEX_OBJECT_TEXT',
    status: 500,
    title: 'Cannot serialise complex objects as text',
    send: { path: '/text' }
  },
  {
    code: 'VIOLATIONS',
    status: 500,
    title: 'Request/Response not valid',
    send: { path: '/wrong' },
    options: { errors: true },
    more: {
      validation: [
        {
          location: ['response', 'body'],
          severity: 'Error',
          code: 'type',
          message: 'Response body must be string'
        }
      ]
    }
  },
  { code: 'INVALID_JSON', status: 400, title: 'Invalid JSON', send: post('{') },
  {
    code: 'BODY_TOO_LARGE',
    status: 413,
    title: 'Request body too large',
    send: post(JSON.stringify(big)),
    options: { maxBodyBytes: 100 }
  },
  {
    code: 'UPSTREAM_UNREACHABLE',
    status: 502,
    title: 'Upstream not reachable',
    send: { path: '/known' },
    options: { upstream: upstreamAt(new URL(`http://127.0.0.1:${UNUSED_PORT}`)) }
  }
]

describe('every problem', () => {
  for (const {
    code,
    status,
    title,
    send: sent,
    document = operations,
    options = {},
    more,
    headers = {}
  } of rows) {
    test(code, async () => {
      await using mock = await openMock(document, options)
      await compare(await send(mock.url, sent), { ...problem(code, status, title, more), headers })
      assert.equal(mock.exchanges[0]?.problem?.code, code)
      assert.deepEqual(mock.defects, [])
      provoked.add(code)
    })
  }

  test('MALFORMED_REQUEST', async () => {
    await using mock = await openMock(operations)
    const { text } = await sendRaw(mock.url, ['not http\r\n\r\n'], 1000, 30_000)
    assert.match(text, /^HTTP\/1\.1 400 .*content-type: application\/problem\+json/s)
    assert.match(text, /"title":"Malformed HTTP request","status":400,/)
    provoked.add('MALFORMED_REQUEST')
  })

  test('TOO_MANY_HELD', async () => {
    await using mock = await openMock(operations, {}, {}, { hold: () => undefined })
    const headers = { prefer: 'delay=600000' }
    const expected = problem('TOO_MANY_HELD', 503, 'Too many delayed requests')
    await compare(await send(mock.url, { path: '/known', headers }), expected)
    const hanging = { path: '/known', headers: { prefer: 'fault=hang' } }
    await compare(await send(mock.url, hanging), expected)
    provoked.add('TOO_MANY_HELD')
  })

  test('TRANSFORM_FAILED', async () => {
    const doubled = { replaceBody: ['{$response.body#}', '{$response.body#}'] }
    const rules = [{ name: 'bomb', match: { path: '/known' }, do: Array(60).fill(doubled) }]
    await using mock = await openMock(operations, {}, {}, { rules })
    await compare(
      await send(mock.url, { path: '/known' }),
      problem('TRANSFORM_FAILED', 500, 'A rule failed')
    )
    provoked.add('TRANSFORM_FAILED')
  })

  test('HOOK_FAILED', async () => {
    const hooks = fileURLToPath(new URL('../support/mock-hooks.mjs', import.meta.url))
    await using mock = await openMock(operations, {}, {}, { hooks })
    await compare(
      await send(mock.url, { path: '/throw' }),
      problem('HOOK_FAILED', 500, 'A hook failed')
    )
    provoked.add('HOOK_FAILED')
  })

  test('UNKNOWN, and the operator hears why', async () => {
    await using mock = await openMock(
      documentOf(
        {
          '/xml': {
            get: {
              responses: answers({ 'text/xml': { schema: { $ref: '#/components/schemas/A' } } })
            }
          }
        },
        { components: { schemas: { A: { type: 'object', properties: { a: { const: 1 } } } } } }
      )
    )
    const reason = new Error('a document that changes under way')
    const schemas = (mock.served.document.components as { schemas: { A: object } }).schemas
    Object.defineProperty(schemas.A, 'xml', {
      get() {
        throw reason
      }
    })
    await compare(await send(mock.url, { path: '/xml' }), problem('UNKNOWN', 500, 'Internal error'))
    assert.ok(mock.defects.includes(reason))
    provoked.add('UNKNOWN')
  })

  const things = documentOf({
    '/things': {
      post: {
        requestBody: { content: { 'application/json': { schema: THING } } },
        responses: answers({ 'application/json': { schema: THING } })
      }
    },
    '/things/{id}': { get: { responses: answers({ 'application/json': { schema: THING } }) } }
  })
  for (const [code, status, title, sent] of [
    ['RECORD_NOT_FOUND', 404, 'Record not found', { path: '/things/9' }],
    ['RECORD_EXISTS', 409, 'The record already exists', post('{"id":"a"}', undefined, '/things')],
    ['STATE_FULL', 409, 'Too many records', post(LARGE, undefined, '/things')]
  ] as const) {
    test(code, async () => {
      const file = join(scratchFolder(), 'things.json')
      writeFileSync(file, JSON.stringify(things))
      await using api = await mock(file, { state: true })
      await send(api.url, post('{"id":"a"}', undefined, '/things'))
      await compare(await send(api.url, sent), problem(code, status, title))
      provoked.add(code)
    })
  }

  after(() => {
    const contract = readFileSync(
      new URL('../../src/services/mock/contract.ts', import.meta.url),
      'utf8'
    )
    const names = [...contract.matchAll(/^ {2}([A-Z_]+): \[/gm)].map(([, name]) => name)
    assert.deepEqual([...provoked, ...OF_STORAGE].sort(), names.sort())
  })
})
