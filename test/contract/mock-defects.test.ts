/**
 * What the best-known mock server gets wrong, by the number that our contract gives it. 13 (the
 * proxy) and 17 (callbacks) have files of their own; 1, 6 and 14 concern the process, not answers.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findInvalidExamples } from '../../src/services/mock/response/own-examples.ts'
import type { Row } from '../support/contract.ts'
import { documentOf, mockRows } from '../support/mock-rows.ts'
import { openMock } from '../support/mock-server.ts'

const done = { '200': { description: '' } }
function parameter(place: string, style: string, schema: object, more: object = {}) {
  return { name: 'Id', in: place, required: true, style, schema, ...more }
}
function getWith(given: object, responses: object = done) {
  return { get: { parameters: [given], responses } }
}
function postOf(content: object) {
  return { post: { requestBody: { required: true, content }, responses: done } }
}
function answers(schema: object) {
  return {
    get: { responses: { '200': { description: '', content: { 'application/json': { schema } } } } }
  }
}
const integers = { type: 'array', items: { type: 'integer' } }
const person = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, file: { type: 'string', format: 'binary' } }
}

const document = documentOf(
  {
    '/label/{Id}': getWith(parameter('path', 'label', { type: 'integer' })),
    '/matrix/{Id}': getWith(parameter('path', 'matrix', { type: 'integer' })),
    '/list-header': {
      get: {
        responses: { '200': { description: '', headers: { 'X-List': { schema: integers } } } }
      }
    },
    '/odd-headers': {
      get: {
        responses: {
          '200': {
            description: '',
            headers: JSON.parse(
              '{"__proto__":{"schema":{"const":"a"}},"constructor":{"schema":{"const":"b"}}}'
            )
          }
        }
      }
    },
    '/json': postOf({ 'application/json': { schema: person } }),
    '/multipart': postOf({ 'multipart/form-data': { schema: person } }),
    '/cookie': getWith(parameter('cookie', 'form', { type: 'integer' })),
    '/content': getWith({
      name: 'Id',
      in: 'query',
      required: true,
      content: { 'application/json': { schema: integers } }
    }),
    '/spaces': getWith(parameter('query', 'spaceDelimited', integers, { explode: false })),
    '/tuple': postOf({
      'application/json': {
        schema: { type: 'array', prefixItems: [{ type: 'integer' }], items: false }
      }
    }),
    '/unevaluated': postOf({
      'application/json': { schema: { ...person, unevaluatedProperties: false } }
    }),
    '/dependent': postOf({
      'application/json': { schema: { type: 'object', dependentRequired: { a: ['b'] } } }
    }),
    '/pattern': answers({ type: 'string', pattern: '^[A-Z]{3}-\\d{2}$' }),
    '/tree': answers({ $ref: '#/components/schemas/Tree' }),
    '/long': answers({ type: 'integer', format: 'int64' }),
    '/secret': answers({
      type: 'object',
      required: ['id', 'password'],
      properties: { id: { type: 'integer' }, password: { type: 'string', writeOnly: true } }
    }),
    '/vendor': postOf({ 'application/vnd.pet+json': { schema: person } }),
    '/bearer': { get: { security: [{ bearer: [] }], responses: done } },
    '/basic': { get: { security: [{ basic: [] }], responses: done } },
    '/discriminated': postOf({
      'application/json': {
        schema: {
          oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
          discriminator: { propertyName: 'kind' }
        }
      }
    })
  },
  {
    servers: [{ url: 'https://api.example/v1' }],
    components: {
      schemas: {
        Tree: {
          type: 'object',
          required: ['children'],
          properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } }
        },
        Cat: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } },
        Dog: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } }
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        basic: { type: 'http', scheme: 'basic' }
      }
    }
  }
)

function get(path: string, headers: Record<string, string> = {}) {
  return { path, headers }
}
function post(path: string, body: string, type = 'application/json') {
  return { method: 'POST', path, headers: { 'content-type': type }, body }
}
const colon = Buffer.from('jo:a:b').toString('base64')

const rows: Row[] = [
  { proves: '2: a label without its dot is 422', send: get('/label/5'), expect: { status: 422 } },
  { proves: '2: a label with its dot', send: get('/label/.5'), expect: { status: 200 } },
  {
    proves: '2: a matrix without its name is 422',
    send: get('/matrix/5'),
    expect: { status: 422 }
  },
  {
    proves: '2: a matrix whose name has a capital',
    send: get('/matrix/;Id=5'),
    expect: { status: 200 }
  },
  {
    proves: '3: a header that is a list',
    send: get('/list-header'),
    expect: { status: 200, headers: { 'x-list': /^\d+$/ } }
  },
  {
    proves: '3: headers named after members of every object are sent as any other',
    send: get('/odd-headers'),
    expect: { status: 200, headers: { constructor: 'b' } }
  },
  {
    proves: '4: JSON that is none is answered',
    send: post('/json', '{"name":'),
    expect: { status: 400, text: /INVALID_JSON/ }
  },
  {
    proves: '5: a multipart body without a boundary',
    send: post('/multipart', 'x', 'multipart/form-data'),
    expect: { status: 415 }
  },
  {
    proves: '5: a multipart body that breaks off',
    send: post(
      '/multipart',
      '--x\r\nContent-Disposition: form-data; name="na',
      'multipart/form-data; boundary=x'
    ),
    expect: { status: 422 }
  },
  {
    proves: '5: a binary upload',
    send: post(
      '/multipart',
      '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nJo\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n\x00\xff\r\n--x--\r\n',
      'multipart/form-data; boundary=x'
    ),
    expect: { status: 200 }
  },
  {
    proves: '8: a cookie is validated',
    send: get('/cookie', { cookie: 'Id=x' }),
    expect: { status: 422 }
  },
  {
    proves: '8: a sound cookie',
    send: get('/cookie', { cookie: 'Id=5' }),
    expect: { status: 200 }
  },
  {
    proves: '8: a parameter with a media type is validated',
    send: get('/content?Id=%5B%22x%22%5D'),
    expect: { status: 422 }
  },
  {
    proves: '8: a sound parameter with a media type',
    send: get('/content?Id=%5B1%5D'),
    expect: { status: 200 }
  },
  { proves: '8: spaces separate', send: get('/spaces?Id=1%202'), expect: { status: 200 } },
  { proves: '10: prefixItems of 3.1', send: post('/tuple', '[1]'), expect: { status: 200 } },
  {
    proves: '10: nothing after prefixItems',
    send: post('/tuple', '[1,2]'),
    expect: { status: 422 }
  },
  {
    proves: '10: unevaluatedProperties of 3.1',
    send: post('/unevaluated', '{"name":"a","x":1}'),
    expect: { status: 422 }
  },
  {
    proves: '10: dependentRequired of 3.1',
    send: post('/dependent', '{"a":1}'),
    expect: { status: 422 }
  },
  {
    proves: '10: a discriminator chooses between branches that both fit',
    send: post('/discriminated', '{"kind":"Cat"}'),
    expect: { status: 200 }
  },
  {
    proves: '11: a pattern is met',
    send: get('/pattern'),
    expect: { status: 200, text: /^"[A-Z]{3}-\d{2}"$/, headers: { 'sl-violations': null } }
  },
  {
    proves: '11: recursion ends',
    send: get('/tree'),
    expect: { status: 200, text: /"children":\[/, headers: { 'sl-violations': null } }
  },
  { proves: '11: a long integer is zero', send: get('/long'), expect: { status: 200, text: '0' } },
  {
    proves: '11: what only clients send stays away',
    send: get('/secret'),
    expect: { status: 200, json: { id: 0 }, headers: { 'sl-violations': null } }
  },
  {
    proves: "12: another vendor's type is another type",
    send: post('/vendor', '{"name":"a"}', 'application/vnd.other+json'),
    expect: { status: 415 }
  },
  { proves: '12: the base path is served', send: get('/v1/pattern'), expect: { status: 200 } },
  {
    proves: '15: bearer in any case',
    send: get('/bearer', { authorization: 'BEARER x' }),
    expect: { status: 200 }
  },
  {
    proves: '15: a password with a colon',
    send: get('/basic', { authorization: `Basic ${colon}` }),
    expect: { status: 200 }
  },
  {
    proves: '16: 405 names the methods',
    send: get('/json'),
    expect: { status: 405, headers: { allow: 'POST' } }
  }
]
mockRows('defects not to copy', document, {}, rows)

describe('7: options of the generator in the document', () => {
  const open = { type: 'object', additionalProperties: { type: 'integer' } }
  const list = { type: 'array', items: { type: 'integer' } }
  const paths = { '/list': answers(list), '/open': answers(open) }

  test('have an effect', async () => {
    const more = { 'x-json-schema-faker': { 'min-items': 7, maxItems: 7, locale: 'de' } }
    await using mock = await openMock(documentOf(paths, more), { dynamic: true })
    assert.equal((await (await fetch(`${mock.url}/list`)).json()).length, 7)
  })

  test('give way to the flag', async () => {
    const more = { 'x-json-schema-faker': { fillProperties: true } }
    await using mock = await openMock(documentOf(paths, more), {
      dynamic: true,
      fillProperties: false
    })
    assert.equal(await (await fetch(`${mock.url}/open`)).text(), '{}')
  })
})

test('9 and 11: examples and schemas that are wrong are told with their place', async () => {
  const response = {
    description: '',
    content: {
      'application/json': {
        schema: { type: 'integer' },
        examples: { a: { value: 'x' }, b: { value: 1 } }
      }
    }
  }
  await using mock = await openMock(
    documentOf({
      '/a': { get: { responses: { '200': response } } },
      '/b': answers({ type: 'string', pattern: '(' })
    })
  )
  assert.deepEqual(
    [...findInvalidExamples(mock.served)],
    [
      {
        level: 'warning',
        where:
          'document.json#/paths/~1a/get/responses/200/content/application~1json/examples/a/value',
        text: 'The example a does not match its schema: Response body must be integer'
      }
    ]
  )
  const place = {
    pointer: '#/paths/~1b/get/responses/200/content/application~1json/schema',
    side: 'response'
  } as const
  const problems = mock.served.schemas.checkAll([place], { compile: true })
  assert.match(problems[0]?.pointer ?? '', /\/paths\/~1b\/get/)
})
