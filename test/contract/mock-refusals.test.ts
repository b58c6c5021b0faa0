/** Faulty requests: what the document answers to them, and what is told where it says nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Row } from '../support/contract.ts'
import { documentOf, mockRows, problem, violationsIn } from '../support/mock-rows.ts'
import { openMock } from '../support/mock-server.ts'

const INVALID = 'Invalid request'
const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } }
const bearer = [{ token: [] }]
const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
const body = { required: true, content: { 'application/json': { schema } } }
const good = { description: '', content: { 'application/json': { example: 'good' } } }

function says(text: string, more: object = {}) {
  return { description: '', content: { 'application/json': { example: text }, ...more } }
}
function get(responses: object, more: object = {}) {
  return { get: { parameters: [limit], responses: { '200': good, ...responses }, ...more } }
}
function post(responses: object) {
  return { post: { requestBody: body, responses: { '200': good, ...responses } } }
}

const document = documentOf(
  {
    '/silent': get({}),
    '/safe-silent': get({}, { security: bearer }),
    '/key-silent': get({}, { security: [{ key: [] }] }),
    '/safe': get({ '401': says('401'), '4XX': says('4XX') }, { security: bearer }),
    '/safe-default': get({ default: says('default') }, { security: bearer }),
    '/unprocessable': get({ '400': says('400'), '422': says('422') }),
    '/bad': get({ '400': says('400') }),
    '/range': get({ '4XX': says('4XX') }),
    '/default': get({ default: says('default') }),
    '/other': get({ '404': says('404') }),
    '/empty': get({ '422': { description: '' } }),
    '/shapes': get({
      '422': {
        description: '',
        content: {
          'application/xml': { schema: { type: 'object', properties: { a: { type: 'string' } } } },
          'application/problem+json': {
            examples: { short: { value: { title: 'short' } }, long: { value: { title: 'long' } } }
          }
        }
      }
    }),
    '/generated': get({
      '422': { description: '', content: { 'text/html': {}, 'application/json': { schema } } }
    }),
    '/post': post({}),
    '/post-415': post({ '415': says('415'), '422': says('422') }),
    '/post-422': post({ '422': says('422') }),
    '/no-body': { post: { responses: { '200': good } } }
  },
  {
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        key: { type: 'apiKey', in: 'header', name: 'x-key' }
      }
    }
  }
)

const BAD = '?limit=many'
const VALIDATION = [
  {
    location: ['query', 'limit'],
    severity: 'Error',
    code: 'type',
    message: 'Request query parameter limit must be integer'
  }
]

function sends(path: string, headers: Record<string, string> = {}) {
  return { path, headers }
}
function posts(path: string, text: string, type = 'application/json') {
  return { method: 'POST', path, headers: { 'content-type': type }, body: text }
}
function answer(status: number, text: string) {
  return {
    status,
    text: JSON.stringify(text),
    headers: { 'sl-violations': /"location":\["request"/ }
  }
}

const rows: Row[] = [
  {
    proves: '422 with the findings where the document is silent',
    send: sends(`/silent${BAD}`),
    expect: {
      ...problem('UNPROCESSABLE_ENTITY', 422, INVALID, { validation: VALIDATION }),
      headers: { 'sl-violations': null }
    }
  },
  {
    proves: 'other documented failures do not count',
    send: sends(`/other${BAD}`),
    expect: problem('UNPROCESSABLE_ENTITY', 422, INVALID, { validation: VALIDATION })
  },
  {
    proves: 'a documented 422 goes before 400',
    send: sends(`/unprocessable${BAD}`),
    expect: answer(422, '422')
  },
  { proves: 'a documented 400', send: sends(`/bad${BAD}`), expect: answer(400, '400') },
  {
    proves: 'a range is answered with the expected status',
    send: sends(`/range${BAD}`),
    expect: answer(422, '4XX')
  },
  {
    proves: 'default is answered with the expected status',
    send: sends(`/default${BAD}`),
    expect: answer(422, 'default')
  },
  {
    proves: 'a documented refusal without content',
    send: sends(`/empty${BAD}`),
    expect: { status: 422, text: '', headers: { 'content-type': null } }
  },
  {
    proves: 'a forced code does not hide a fault',
    send: sends(`/bad${BAD}`, { prefer: 'code=200' }),
    expect: answer(400, '400')
  },
  {
    proves: '401 with a challenge where the document is silent',
    send: sends('/safe-silent'),
    expect: {
      ...problem('UNAUTHORIZED', 401, 'Invalid security scheme used', {
        headers: { 'WWW-Authenticate': 'Bearer' }
      }),
      headers: { 'www-authenticate': 'Bearer' }
    }
  },
  {
    proves: '401 without a challenge for a key',
    send: sends('/key-silent'),
    expect: {
      ...problem('UNAUTHORIZED', 401, 'Invalid security scheme used'),
      headers: { 'www-authenticate': null }
    }
  },
  { proves: 'a documented 401', send: sends('/safe'), expect: answer(401, '401') },
  {
    proves: '401 goes before other faults',
    send: sends(`/safe${BAD}`),
    expect: answer(401, '401')
  },
  {
    proves: 'default stands for 401',
    send: sends('/safe-default'),
    expect: answer(401, 'default')
  },
  {
    proves: 'the scheme in small letters will do',
    send: sends('/safe', { authorization: 'bearer x' }),
    expect: { status: 200 }
  },
  {
    proves: 'a wrong media type',
    send: posts('/post', '<a/>', 'text/xml'),
    expect: problem('INVALID_CONTENT_TYPE', 415, 'Invalid content type')
  },
  {
    proves: 'a documented 415',
    send: posts('/post-415', '<a/>', 'text/xml'),
    expect: answer(415, '415')
  },
  {
    proves: 'a documented 422 stands for 415',
    send: posts('/post-422', '<a/>', 'text/xml'),
    expect: answer(422, '422')
  },
  {
    proves: 'a body nobody asked for',
    send: posts('/no-body', '{}'),
    expect: problem('INVALID_CONTENT_TYPE', 415, 'Invalid content type')
  },
  {
    proves: 'JSON that is none is 400, documented or not',
    send: posts('/post-422', '{"id":'),
    expect: { status: 400, type: 'application/problem+json', text: /"code":"INVALID_JSON"/ }
  },
  {
    proves: "the client's Accept counts for a refusal",
    send: sends(`/shapes${BAD}`, { accept: 'application/xml' }),
    expect: { status: 422, type: 'application/xml', text: /<a>string<\/a>/ }
  },
  {
    proves: 'a refusal that is not acceptable is sent all the same',
    send: sends(`/shapes${BAD}`, { accept: 'image/png' }),
    expect: { status: 422, type: 'application/problem+json', json: { title: 'short' } }
  },
  {
    proves: 'content with examples goes first',
    send: sends(`/shapes${BAD}`, { accept: '*/*' }),
    expect: { status: 422, json: { title: 'short' } }
  },
  {
    proves: 'an example of a refusal needs its code',
    send: sends(`/shapes${BAD}`, { prefer: 'code=422, example=long' }),
    expect: { status: 422, json: { title: 'long' } }
  },
  {
    proves: 'without the code the wish is ignored',
    send: sends(`/shapes${BAD}`, { prefer: 'example=long' }),
    expect: { status: 422, json: { title: 'short' } }
  },
  {
    proves: 'an unknown example of a refusal',
    send: sends(`/shapes${BAD}`, { prefer: 'code=422, example=no' }),
    expect: problem('NOT_FOUND', 404, 'The server cannot find the requested content')
  },
  {
    proves: 'content with a schema is generated',
    send: sends(`/generated${BAD}`),
    expect: { status: 422, json: { id: 0 } }
  }
]
mockRows('faulty requests', document, {}, rows)

mockRows('without request validation', document, { validateRequest: false }, [
  {
    proves: 'faults pass',
    send: sends(`/silent${BAD}`),
    expect: { status: 200, headers: { 'sl-violations': null } }
  },
  {
    proves: 'credentials are still asked for',
    send: sends('/safe-silent'),
    expect: { status: 401 }
  }
])

mockRows('without the security check', document, { validateSecurity: false }, [
  { proves: 'no credentials are needed', send: sends('/safe-silent'), expect: { status: 200 } },
  { proves: 'faults are still found', send: sends(`/safe-silent${BAD}`), expect: { status: 422 } }
])

const wrong = { description: '', content: { 'application/json': { schema, example: { id: 'x' } } } }
const reported = documentOf({
  '/wrong': { get: { responses: { '200': wrong } } },
  '/header': {
    get: {
      responses: {
        '200': {
          description: '',
          headers: { 'X-N': { schema: { type: 'integer' }, example: 'é' } }
        }
      }
    }
  },
  '/old': {
    get: {
      parameters: [{ name: 'q', in: 'query', deprecated: true, schema: { type: 'string' } }],
      responses: { '200': { description: '' } }
    }
  },
  '/many': {
    get: {
      responses: {
        '200': {
          description: '',
          content: {
            'application/json': {
              schema: { type: 'array', items: { type: 'integer' } },
              example: Array.from({ length: 200 }, () => 'é')
            }
          }
        }
      }
    }
  }
})
const TOLD = {
  location: ['response', 'body', 'id'],
  severity: 'Error',
  code: 'type',
  message: 'Response body property id must be integer'
}

mockRows('what is told about answers', reported, {}, [
  {
    proves: 'a body that breaks its schema',
    send: sends('/wrong'),
    expect: { status: 200, check: (found) => assert.deepEqual(violationsIn(found), [TOLD]) }
  },
  {
    proves: 'a header that breaks its schema',
    send: sends('/header'),
    expect: {
      status: 200,
      headers: { 'x-n': '%C3%A9', 'sl-violations': /"location":\["response","header","x-n"\]/ }
    }
  },
  {
    proves: 'a deprecated parameter is a warning',
    send: sends('/old?q=1'),
    expect: {
      status: 200,
      check: (found) =>
        assert.deepEqual(violationsIn(found), [
          {
            location: ['request', 'query', 'q'],
            severity: 'Warning',
            code: 'deprecated',
            message: 'Query param q is deprecated'
          }
        ])
    }
  },
  {
    proves: 'a long report is cut',
    send: sends('/many'),
    expect: {
      status: 200,
      check({ headers }) {
        const text = headers.get('sl-violations') ?? ''
        assert.equal(text.length, 'Too many violations! '.length + 8092)
        assert.match(text, /^Too many violations! \[\{"location":\["response","body","0"\]/)
      }
    }
  },
  {
    proves: 'a client can do without',
    send: sends('/wrong', { prefer: 'validate=off' }),
    expect: { status: 200, headers: { 'sl-violations': null } }
  }
])

mockRows('violations as errors', reported, { errors: true }, [
  {
    proves: 'a faulty answer becomes 500 with the findings in both places',
    send: sends('/wrong'),
    expect: {
      ...problem('VIOLATIONS', 500, 'Request/Response not valid', { validation: [TOLD] }),
      headers: { 'sl-violations': /"response","body","id"/ }
    }
  },
  { proves: 'a warning does not', send: sends('/old?q=1'), expect: { status: 200 } }
])

mockRows('without response validation', reported, { validateResponse: false, errors: true }, [
  {
    proves: 'nothing is told',
    send: sends('/wrong'),
    expect: { status: 200, headers: { 'sl-violations': null } }
  }
])

test('a faulty answer of a faulty request tells both', async () => {
  const responses = { '200': good, '422': wrong }
  await using mock = await openMock(
    documentOf({ '/both': { get: { parameters: [limit], responses } } })
  )
  const found = violationsIn(await fetch(`${mock.url}/both${BAD}`)) as { location: string[] }[]
  assert.deepEqual(
    found.map(({ location }) => location.join('.')),
    ['request.query.limit', 'response.body.id']
  )
})

const ORDER = {
  type: 'object',
  additionalProperties: false,
  properties: {
    id: { type: 'integer', readOnly: true },
    note: { type: 'string' },
    lines: { type: 'array', items: { $ref: '#/components/schemas/Line' } }
  }
}
const LINE = {
  allOf: [
    { type: 'object', properties: { price: { $ref: '#/components/schemas/Price' } } },
    { type: 'object', properties: { count: { type: 'integer' } } }
  ],
  unevaluatedProperties: false
}

const READ_ONLY_ROWS: [
  proves: string,
  type: string,
  body: string,
  location: string[],
  code: string
][] = [
  ['called read-only', 'application/json', '{"id":1}', ['body', 'id'], 'readOnly'],
  ['in a form, too', 'application/x-www-form-urlencoded', 'id=1', ['body', 'id'], 'readOnly'],
  [
    'deep inside, through references',
    'application/json',
    '{"lines":[{"count":1},{"price":1}]}',
    ['body', 'lines', '1', 'price'],
    'readOnly'
  ],
  [
    'a property that nobody defined is not called so',
    'application/json',
    '{"idd":1}',
    ['body'],
    'additionalProperties'
  ]
]

mockRows(
  'read-only properties that are sent',
  documentOf(
    {
      '/orders': {
        post: {
          requestBody: {
            content: {
              'application/json': { schema: ORDER },
              'application/x-www-form-urlencoded': { schema: ORDER }
            }
          },
          responses: { '200': { description: '' } }
        }
      }
    },
    { components: { schemas: { Line: LINE, Price: { type: 'number', readOnly: true } } } }
  ),
  {},
  READ_ONLY_ROWS.map(([proves, type, body, location, code]) => ({
    proves,
    send: {
      method: 'POST',
      path: '/orders',
      headers: { 'content-type': type },
      body
    },
    expect: {
      status: 422,
      check({ text }) {
        const { validation } = JSON.parse(text)
        assert.equal(validation.length, 1)
        assert.deepEqual([validation[0].location, validation[0].code], [location, code])
        const isNamed = /is read-only and must not be sent$/.test(validation[0].message)
        assert.equal(isNamed, code === 'readOnly')
      }
    }
  }))
)
