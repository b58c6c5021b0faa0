/** Which response, which content, which example: the answer to a request without fault. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exampleUrl } from '../../src/services/mock/example-url.ts'
import type { Row } from '../support/contract.ts'
import { documentOf, mockRows, problem } from '../support/mock-rows.ts'
import { type MockServer, openMock } from '../support/mock-server.ts'
import { sendPlain } from '../support/plain-http.ts'

const NOT_FOUND = 'The server cannot find the requested content'
const NOT_ACCEPTABLE = 'The server cannot produce a representation for your accept header'

function json(schema: object, more: object = {}) {
  return { description: '', content: { 'application/json': { schema, ...more } } }
}
function says(text: string) {
  return json({ type: 'string' }, { example: text })
}
function get(path: string, headers: Record<string, string> = {}) {
  return { path, headers }
}

const statuses = documentOf({
  '/several': {
    get: {
      responses: {
        '404': says('404'),
        '201': says('201'),
        '2XX': says('2XX'),
        '4XX': says('4XX'),
        '200': says('200'),
        '101': says('101'),
        '503': { description: '' }
      }
    }
  },
  '/range': { get: { responses: { '404': says('404'), '2XX': says('2XX') } } },
  '/default': { get: { responses: { '404': says('404'), default: says('default') } } },
  '/first': { get: { responses: { '5XX': says('5XX') } } },
  '/none': { get: { responses: {} } },
  '/empty': { get: { responses: { '200': {} } } },
  '/switching': { get: { responses: { '101': says('101') } } }
})

mockRows('the choice of the status', statuses, {}, [
  {
    proves: 'the lowest success wins',
    send: get('/several'),
    expect: { status: 200, text: '"200"' }
  },
  {
    proves: 'a range is answered with its first status',
    send: get('/range'),
    expect: { status: 200, text: '"2XX"' }
  },
  {
    proves: 'default stands for 200',
    send: get('/default'),
    expect: { status: 200, text: '"default"' }
  },
  {
    proves: 'else the first response, whatever it is',
    send: get('/first'),
    expect: { status: 500, text: '"5XX"' }
  },
  {
    proves: 'an operation without responses',
    send: get('/none'),
    expect: problem(
      'NO_RESPONSE_RESPONSE_DEFINED',
      500,
      'No response defined for the selected operation'
    )
  },
  {
    proves: 'a response object that says nothing is none',
    send: get('/empty'),
    expect: problem(
      'NO_RESPONSE_RESPONSE_DEFINED',
      500,
      'No response defined for the selected operation'
    )
  },
  {
    proves: 'an interim status is no answer',
    send: get('/switching'),
    expect: problem(
      'NO_RESPONSE_RESPONSE_DEFINED',
      500,
      'No response defined for the selected operation'
    )
  },
  {
    proves: 'a code can be forced',
    send: get('/several', { prefer: 'code=404' }),
    expect: { status: 404, text: '"404"' }
  },
  {
    proves: 'the query twin forces it too',
    send: get('/several?__code=404'),
    expect: { status: 404, text: '"404"' }
  },
  {
    proves: 'a header makes the query twins void',
    send: get('/several?__code=404', { prefer: 'wait=1' }),
    expect: { status: 200, text: '"200"' }
  },
  {
    proves: 'a forced code is found by its range and kept',
    send: get('/several', { prefer: 'code=418' }),
    expect: { status: 418, text: '"4XX"' }
  },
  {
    proves: 'a forced code is found by default and kept',
    send: get('/default', { prefer: 'code=299' }),
    expect: { status: 299, text: '"default"' }
  },
  {
    proves: 'a forced code that nobody describes',
    send: get('/several', { prefer: 'code=301' }),
    expect: problem('NOT_FOUND', 404, NOT_FOUND)
  },
  {
    proves: 'a forced interim status',
    send: get('/several', { prefer: 'code=101' }),
    expect: problem('NOT_FOUND', 404, NOT_FOUND)
  },
  {
    proves: 'a forced status no server can send',
    send: get('/default', { prefer: 'code=000' }),
    expect: problem('NOT_FOUND', 404, NOT_FOUND)
  },
  {
    proves: 'a forced response without content has no body',
    send: get('/several', { prefer: 'code=503' }),
    expect: { status: 503, text: '', headers: { 'content-type': null, 'content-length': '0' } }
  },
  {
    proves: 'a code of four digits is refused',
    send: get('/several', { prefer: 'code=2000' }),
    expect: { status: 422, type: 'application/problem+json', text: /UNPROCESSABLE_ENTITY/ }
  }
])

const contents = documentOf({
  '/three': {
    get: {
      responses: {
        '200': {
          description: '',
          content: {
            'application/xml': { example: '<a/>' },
            'application/json': { example: { a: 1 } },
            'application/vnd.pet+json; v=2': { example: { v: 2 } },
            'text/plain': { example: 'a' }
          }
        },
        '404': { description: '', content: { 'text/plain': { example: 'none' } } }
      }
    }
  },
  '/xml': {
    get: {
      responses: { '200': { description: '', content: { 'application/xml': { example: '<a/>' } } } }
    }
  },
  '/nothing': { get: { responses: { '200': { description: '' } } } },
  '/any': {
    get: { responses: { '200': { description: '', content: { '*/*': { example: 'plain' } } } } }
  },
  '/any-object': {
    get: { responses: { '200': { description: '', content: { '*/*': { example: { a: 1 } } } } } }
  },
  '/any-image': {
    get: { responses: { '200': { description: '', content: { 'image/*': { example: 'bytes' } } } } }
  },
  '/any-first': {
    get: {
      responses: {
        '200': {
          description: '',
          content: { 'application/json': { example: 1 }, '*/*': { example: 'any' } }
        }
      }
    }
  },
  '/no-content': {
    get: {
      responses: { '204': { description: '', content: { 'application/json': { example: 1 } } } }
    }
  }
})

mockRows('the choice of the content', contents, {}, [
  {
    proves: 'an empty Accept says nothing',
    send: get('/three', { accept: '' }),
    expect: { status: 200, type: 'application/json' }
  },
  {
    proves: "the client's choice",
    send: get('/three', { accept: 'text/plain' }),
    expect: { status: 200, type: 'text/plain', text: 'a' }
  },
  {
    proves: 'quality decides',
    send: get('/three', { accept: 'text/plain;q=0.1, application/xml;q=0.9' }),
    expect: { status: 200, type: 'application/xml', text: '<a/>' }
  },
  {
    proves: 'a quality of zero refuses',
    send: get('/xml', { accept: 'application/xml;q=0, application/json' }),
    expect: problem('NOT_ACCEPTABLE', 406, NOT_ACCEPTABLE)
  },
  {
    proves: "the document's order breaks ties",
    send: get('/three', { accept: '*/*' }),
    expect: { status: 200, type: 'application/xml' }
  },
  {
    proves: 'a range of the client',
    send: get('/three', { accept: 'text/*' }),
    expect: { status: 200, type: 'text/plain' }
  },
  {
    proves: 'parameters are echoed as written',
    send: get('/three', { accept: 'application/vnd.pet+json' }),
    expect: { status: 200, type: 'application/vnd.pet+json; v=2', json: { v: 2 } }
  },
  {
    proves: 'parameters that match nothing are ignored in the end',
    send: get('/three', { accept: 'application/json; v=9' }),
    expect: { status: 200, type: 'application/json' }
  },
  {
    proves: 'nothing acceptable',
    send: get('/three', { accept: 'image/png' }),
    expect: problem('NOT_ACCEPTABLE', 406, NOT_ACCEPTABLE)
  },
  {
    proves: 'a response without content ignores Accept',
    send: get('/nothing', { accept: 'image/png' }),
    expect: { status: 200, text: '', headers: { 'content-type': null } }
  },
  {
    proves: '204 never has a body',
    send: get('/no-content', { accept: 'image/png' }),
    expect: { status: 204, text: '', headers: { 'content-type': null, 'content-length': null } }
  },
  {
    proves: 'a type left open is text for text',
    send: get('/any', { accept: '*/*' }),
    expect: { status: 200, type: 'text/plain', text: 'plain' }
  },
  {
    proves: 'a type left open is JSON for an object',
    send: get('/any-object', { accept: '*/*' }),
    expect: { status: 200, type: 'application/json', text: '{"a":1}' }
  },
  {
    proves: 'a type left open is what the client wants',
    send: get('/any-object', { accept: 'application/json' }),
    expect: { status: 200, type: 'application/json', text: '{"a":1}' }
  },
  {
    proves: 'a range of images is an image',
    send: get('/any-image', { accept: 'image/webp' }),
    expect: { status: 200, type: 'image/webp', text: 'bytes' }
  },
  {
    proves: 'a forced response that is not acceptable gives way to the usual one',
    send: get('/three', { prefer: 'code=404', accept: 'application/json' }),
    expect: { status: 200, json: { a: 1 } }
  }
])

const shown = {
  description: '',
  examples: { 'application/xml': '<a/>', 'application/json': { a: 1 } }
}
const older = {
  swagger: '2.0',
  info: { title: 'Test', version: '1' },
  paths: {
    '/shown': { get: { responses: { 200: shown } } },
    '/cleared': { get: { produces: [], responses: { 200: { ...shown, schema: {} } } } },
    '/schema': { get: { responses: { 200: { description: '', schema: { type: 'object' } } } } }
  }
}

mockRows('the content of version 2 without produces', older, {}, [
  {
    proves: 'the examples name the types, of which JSON is preferred',
    send: get('/shown', { accept: '' }),
    expect: { status: 200, type: 'application/json', json: { a: 1 } }
  },
  {
    proves: 'the client chooses one of them',
    send: get('/shown', { accept: 'application/xml' }),
    expect: { status: 200, type: 'application/xml', text: '<a/>' }
  },
  {
    proves: 'no other type is acceptable',
    send: get('/shown', { accept: 'text/csv' }),
    expect: problem('NOT_ACCEPTABLE', 406, NOT_ACCEPTABLE)
  },
  {
    proves: 'an empty array says nothing about the types of the examples',
    send: get('/cleared', { accept: 'application/json' }),
    expect: { status: 200, type: 'application/json', json: { a: 1 } }
  },
  {
    proves: 'a schema alone names no type',
    send: get('/schema', { accept: 'application/json' }),
    expect: { status: 200, text: '', headers: { 'content-type': null } }
  }
])

describe('a client that sends no Accept', () => {
  const rows: [path: string, type: string | undefined, body: string][] = [
    ['/three', 'application/json', '{"a":1}'],
    ['/xml', 'application/xml', '<a/>'],
    ['/any-first', 'text/plain', 'any'],
    ['/nothing', undefined, '']
  ]
  for (const [path, type, body] of rows) {
    test(`gets ${type ?? 'nothing'} at ${path}`, async () => {
      await using mock = await openMock(contents)
      const { status, headers, body: bytes } = await sendPlain(mock.url + path)
      assert.deepEqual(
        { status, type: headers['content-type'], text: bytes.toString() },
        { status: 200, type, text: body }
      )
    })
  }
})

const schema = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer', minimum: 5 },
    name: { type: 'string' },
    secret: { type: 'string', writeOnly: true }
  }
}
const examples = documentOf({
  '/named': {
    get: {
      responses: {
        '200': json(schema, {
          examples: {
            cat: { value: { id: 7, name: 'cat' } },
            far: { externalValue: 'http://example.com/far' }
          }
        }),
        '400': json({ type: 'object' }, { examples: { bad: { value: { error: 'bad' } } } })
      }
    }
  },
  '/single': { get: { responses: { '200': json(schema, { example: { id: 8, name: 'one' } }) } } },
  '/schema': {
    get: { responses: { '200': json({ ...schema, example: { id: 9, name: 'schema' } }) } }
  },
  '/generated': { get: { responses: { '200': json(schema) } } },
  '/wrong': { get: { responses: { '200': json(schema, { example: { id: 'no number' } }) } } },
  '/null': { get: { responses: { '200': json({ type: ['string', 'null'] }, { example: null }) } } },
  '/bare': {
    get: { responses: { '200': { description: '', content: { 'application/json': {} } } } }
  },
  '/impossible': {
    get: { responses: { '200': json({ type: 'integer', minimum: 3, maximum: 2 }) } }
  }
})

mockRows('an example or a generated body', examples, {}, [
  {
    proves: 'the first named example',
    send: get('/named'),
    expect: { status: 200, json: { id: 7, name: 'cat' } }
  },
  {
    proves: 'an example by its name',
    send: get('/named', { prefer: 'code=400, example=bad' }),
    expect: { status: 400, json: { error: 'bad' } }
  },
  {
    proves: 'an example by the query twin',
    send: get('/named?__example=cat'),
    expect: { status: 200, json: { id: 7, name: 'cat' } }
  },
  {
    proves: 'only the chosen response is searched',
    send: get('/named', { prefer: 'example=bad' }),
    expect: problem('NOT_FOUND', 404, NOT_FOUND)
  },
  {
    proves: 'a forced code with an unknown example is no failure of ours',
    send: get('/named', { prefer: 'code=400, example=no' }),
    expect: problem('NOT_FOUND', 404, NOT_FOUND)
  },
  {
    proves: 'an example elsewhere is made up from the schema',
    send: get('/named', { prefer: 'example=far' }),
    expect: { status: 200, json: { id: 5, name: 'string' } }
  },
  {
    proves: 'the nameless example is called default',
    send: get('/single', { prefer: 'example=default' }),
    expect: { status: 200, json: { id: 8, name: 'one' } }
  },
  {
    proves: 'the example of the schema',
    send: get('/schema'),
    expect: { status: 200, json: { id: 9, name: 'schema' } }
  },
  {
    proves: 'the example of the schema is called default too',
    send: get('/schema', { prefer: 'example=default' }),
    expect: { status: 200, json: { id: 9, name: 'schema' } }
  },
  {
    proves: 'a generated body, without what only clients send',
    send: get('/generated'),
    expect: { status: 200, json: { id: 5, name: 'string' } }
  },
  {
    proves: 'an own example is served as written, and its violation told',
    send: get('/wrong'),
    expect: {
      status: 200,
      json: { id: 'no number' },
      headers: { 'sl-violations': /"response","body"/ }
    }
  },
  { proves: 'null is an example', send: get('/null'), expect: { status: 200, text: 'null' } },
  {
    proves: 'without schema and example there is no body',
    send: get('/bare'),
    expect: { status: 200, text: '', headers: { 'content-type': null } }
  },
  {
    proves: 'a schema that nothing meets',
    send: get('/impossible'),
    expect: problem('SCHEMA_UNSATISFIABLE', 500, 'No value found that satisfies the schema')
  }
])

mockRows('without the examples of the document', examples, { ignoreExamples: true }, [
  {
    proves: 'bodies come from the schema',
    send: get('/named'),
    expect: { status: 200, json: { id: 5, name: 'string' } }
  },
  {
    proves: 'a wish for an example still counts',
    send: get('/named', { prefer: 'example=cat' }),
    expect: { status: 200, json: { id: 7, name: 'cat' } }
  }
])

const dynamic: Row[] = [
  {
    proves: 'a random body is valid',
    send: get('/generated'),
    expect: {
      status: 200,
      headers: { 'sl-violations': null },
      check({ text }) {
        const { id, name, secret } = JSON.parse(text)
        assert.ok(Number.isInteger(id) && id >= 5)
        assert.equal(typeof name, 'string')
        assert.equal(secret, undefined)
      }
    }
  },
  {
    proves: 'examples are not consulted',
    send: get('/single', { prefer: 'seed=a' }),
    expect: { status: 200, text: /^(?!.*"one")/ }
  },
  {
    proves: 'unless one is asked for',
    send: get('/single', { prefer: 'example=default' }),
    expect: { status: 200, json: { id: 8, name: 'one' } }
  },
  {
    proves: 'a client can ask for the static body',
    send: get('/single?__dynamic=false'),
    expect: { status: 200, json: { id: 8, name: 'one' } }
  }
]
mockRows('random bodies', examples, { dynamic: true }, dynamic)

test('dates of x-faker count from now, and with a seed they are the same every day', async () => {
  const schema = { type: 'string', format: 'date-time', 'x-faker': 'date.recent' }
  const content = { 'application/json': { schema } }
  const paths = { '/seen': { get: { responses: { '200': { description: '', content } } } } }
  await using mock = await openMock(documentOf(paths), { dynamic: true })
  const seen = async (query = '') =>
    Date.parse((await (await fetch(`${mock.url}/seen${query}`)).json()) as string)
  const age = Date.now() - (await seen())
  assert.ok(age >= 0 && age < 2 * 24 * 60 * 60 * 1000, `${age} ms old`)
  assert.equal(await seen('?__seed=spring'), Date.parse('2025-12-31T09:17:36.355Z'))
})

test('the same seed gives the same bytes, another one gives others', async () => {
  await using mock = await openMock(examples, { dynamic: true, seed: 'house' })
  const ask = async (headers: Record<string, string>) =>
    (await fetch(`${mock.url}/generated`, { headers })).text()
  assert.equal(await ask({}), await ask({}))
  assert.equal(await ask({ prefer: 'seed=guest' }), await ask({ prefer: 'seed=guest' }))
  assert.notEqual(await ask({}), await ask({ prefer: 'seed=guest' }))
})

test('odd names of examples are not taken for one another', async () => {
  await using mock = await openMock(examples)
  const ask = async (query: string) => (await fetch(`${mock.url}/named${query}`)).status
  assert.equal(await ask(''), 200)
  assert.equal(await ask('?__example=undefined'), 404)
  assert.equal(await ask('?__example=cat'), 200)
  assert.equal(await ask('?__example=%0A%3Dcat'), 404)
  assert.equal(await ask('?__example=no'), 404)
  assert.equal(await ask('?__example=no'), 404)
})

test('an exchange tells the response, the example and the time it took', async () => {
  await using mock = await openMock(examples)
  await fetch(`${mock.url}/named`)
  await fetch(`${mock.url}/nowhere`)
  const [found, lost] = mock.exchanges
  assert.equal(found?.operation?.path, '/named')
  assert.equal(found?.response?.code, '200')
  assert.equal(found?.example, 'cat')
  assert.ok((found?.milliseconds ?? -1) >= 0)
  assert.equal(lost?.problem?.code, 'NO_PATH_MATCHED_ERROR')
  assert.equal(lost?.operation, undefined)
})

test('integers beyond 2^53 of a document are sent with all their digits', async () => {
  const large = '9223372036854775807'
  const property = (keyword: string) => `{"type":"integer","format":"int64",${keyword}}`
  const thing = `{"type":"object","required":["id"],"properties":{
    "id":${property(`"example":${large}`)},
    "other":${property('"default":9223372036854775806')},
    "one":${property('"enum":[-9223372036854775808]')},
    "least":${property('"minimum":9007199254740993')}
  }}`
  const header = `{"schema":${property(`"example":${large}`)}}`
  const body = `{"description":"","headers":{"x-id":${header}},"content":{
    "application/json":{"schema":${thing}},
    "application/xml":{"schema":${thing}},
    "application/vnd.shown+json":{"example":[{"id":1234567890123456789},{"id":1234567890123456790}]},
    "text/plain":{"example":${large}}
  }}`
  const id = `{"name":"id","in":"path","required":true,"schema":${property(`"example":${large}`)}}`
  const operation = `{"parameters":[${id}],"responses":{"200":${body}}}`
  const text = `{"openapi":"3.1.0","paths":{"/things/{id}":{"get":${operation}}}}`
  const rules = [{ match: { mediaType: 'application/json' }, do: [{ merge: { one: null } }] }]
  const generated = `{"id":${large},"other":9223372036854775806,"one":-9223372036854775808,"least":9007199254740993}`

  await using plain = await openMock(text)
  const [shown] = plain.served.api.operations
  assert.ok(shown)
  const path = exampleUrl(plain.served, shown, '')
  assert.equal(path, `/things/${large}`)
  async function read(mock: MockServer, accept: string): Promise<string> {
    const response = await fetch(mock.url + path, { headers: { accept } })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('x-id'), large)
    assert.equal(response.headers.get('sl-violations'), null)
    return response.text()
  }
  assert.equal(await read(plain, 'application/json'), generated)
  assert.match(await read(plain, 'application/xml'), /<id>9223372036854775807<\/id>/)
  assert.equal(await read(plain, 'text/plain'), large)
  assert.equal(
    await read(plain, 'application/vnd.shown+json'),
    '[{"id":1234567890123456789},{"id":1234567890123456790}]'
  )
  await using ruled = await openMock(text, {}, {}, { rules })
  assert.equal(
    await read(ruled, 'application/json'),
    generated.replace('"one":-9223372036854775808,', '')
  )
})

describe('a discriminator of a schema that others extend with allOf', () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const content = (schema: object) => ({ 'application/json': { schema } })
  function extending(parent: string, property: string, more: object = {}) {
    const own = {
      type: 'object',
      required: [property],
      properties: { [property]: { type: 'boolean' } }
    }
    return { allOf: [ref(parent), own], ...more }
  }
  const kinds = { enum: ['cat', 'Dog', 'other', 'Lion'] }
  const document = documentOf(
    Object.fromEntries(
      Object.entries({
        '/pets': ref('Pet'),
        '/list': { type: 'array', items: { allOf: [ref('Pet')], description: 'one of them' } },
        '/cats': ref('Cat'),
        '/loose': ref('Loose')
      }).map(([path, schema]) => [
        path,
        {
          get: { responses: { 200: { description: '', content: content(schema) } } },
          post: {
            requestBody: { required: true, content: content(schema) },
            responses: { 204: { description: '' } }
          }
        }
      ])
    ),
    {
      components: {
        schemas: {
          Pet: {
            type: 'object',
            required: ['kind'],
            properties: { kind: { type: 'string', ...kinds } },
            discriminator: {
              propertyName: 'kind',
              mapping: { Dog: 'Dog', cat: '#/components/schemas/Cat' }
            }
          },
          Cat: extending('Pet', 'hunts'),
          Dog: extending('Pet', 'barks'),
          Lion: extending('Cat', 'roars'),
          Loose: {
            type: 'object',
            properties: { kind: { type: 'string' } },
            discriminator: { propertyName: 'kind' }
          },
          Strict: extending('Loose', 'strict')
        }
      }
    }
  )
  const rows: [path: string, body: object, message: string | undefined][] = [
    ['/pets', { kind: 'Dog', barks: true }, undefined],
    ['/pets', { kind: 'Dog', hunts: true }, "required property 'barks'"],
    ['/pets', { kind: 'cat', hunts: true }, undefined],
    ['/pets', { kind: 'cat', barks: true }, "required property 'hunts'"],
    ['/pets', { kind: 'Lion', hunts: true }, "required property 'roars'"],
    ['/pets', { kind: 'Lion', hunts: true, roars: true }, undefined],
    ['/pets', { kind: 'other' }, undefined],
    ['/pets', { kind: 'Bird' }, 'kind must be equal to one of'],
    ['/pets', { hunts: true }, "required property 'kind'"],
    ['/list', [{ kind: 'Dog', barks: true }], undefined],
    ['/list', [{ kind: 'Dog' }], "required property 'barks'"],
    ['/cats', { kind: 'cat', hunts: true }, undefined],
    ['/cats', { kind: 'cat' }, "required property 'hunts'"],
    ['/loose', {}, undefined],
    ['/loose', { kind: 'Loose' }, undefined],
    ['/loose', { kind: 'Strict' }, "required property 'strict'"]
  ]

  test('chooses the child that a body must match', async () => {
    await using mock = await openMock(document)
    for (const [path, body, message] of rows) {
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await fetch(mock.url + path, init)
      const text = await response.text()
      assert.equal(response.status, message === undefined ? 204 : 422, JSON.stringify(body) + text)
      if (message !== undefined) assert.ok(text.includes(message), text)
    }
  })

  test('is the name of a child in a generated body, which has the members of that child', async () => {
    await using mock = await openMock(document)
    async function read(path: string): Promise<unknown> {
      const response = await fetch(mock.url + path)
      assert.equal(response.headers.get('sl-violations'), null)
      return response.json()
    }
    assert.deepEqual(await read('/pets'), { kind: 'Dog', barks: true })
    assert.deepEqual(await read('/list'), [{ kind: 'Dog', barks: true }])
    assert.deepEqual(await read('/loose'), { kind: 'Strict', strict: true })
    const seen = new Set<string>()
    for (let seed = 0; seed < 20; seed++) {
      const pet = (await read(`/pets?__dynamic=true&__seed=${seed}`)) as Record<string, unknown>
      const members = { Dog: 'barks', cat: 'hunts', Lion: 'roars' }[String(pet.kind)]
      assert.ok(members === undefined || members in pet, JSON.stringify(pet))
      seen.add(String(pet.kind))
    }
    assert.ok(seen.size > 2, [...seen].join())
  })
})
