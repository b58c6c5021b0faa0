/** The answer on the wire: types, serialisers, headers, CORS, limits, malformed HTTP. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { documentOf, mockRows, problem } from '../support/mock-rows.ts'
import { openMock } from '../support/mock-server.ts'
import { sendRaw } from '../support/raw-socket.ts'

const QUIET_MS = 2000

function answers(content: object, more: object = {}) {
  return { get: { responses: { '200': { description: '', content, ...more } } } }
}
function get(path: string, headers: Record<string, string> = {}) {
  return { path, headers }
}

const pet = {
  type: 'object',
  xml: { name: 'pet', namespace: 'http://example.com/pets', prefix: 'p' },
  properties: {
    id: { type: 'integer', xml: { attribute: true } },
    name: { type: 'string', xml: { name: 'called' } },
    tags: {
      type: 'array',
      xml: { wrapped: true, name: 'tags' },
      items: { type: 'string', xml: { name: 'tag' } }
    },
    photos: { type: 'array', items: { type: 'string', xml: { name: 'photo' } } },
    owner: { $ref: '#/components/schemas/Owner' }
  }
}
const value = {
  id: 1,
  name: 'a<b>&"c',
  tags: ['x', 'y'],
  photos: ['p', 'q'],
  owner: { 'first name': 'Jo' }
}
const components = {
  schemas: {
    Owner: { type: 'object', properties: { 'first name': { type: 'string' } } },
    Pet: pet,
    Plain: { type: 'object', properties: { a: { type: 'integer' } } }
  }
}

const bodies = documentOf(
  {
    '/vendor': answers({ 'application/vnd.api+json; profile="x"': { example: { é: 'ü' } } }),
    '/xml': answers({
      'application/xml': { schema: { $ref: '#/components/schemas/Pet' }, example: value }
    }),
    '/xml-list': answers({
      'application/xml': {
        schema: { type: 'array', items: { $ref: '#/components/schemas/Plain' } },
        example: [{ a: 1 }, { a: 2 }]
      }
    }),
    '/xml-reference': answers({ 'text/xml': { schema: { $ref: '#/components/schemas/Plain' } } }),
    '/xml-nameless': answers({ 'application/problem+xml': { example: { a: [1, 2], b: null } } }),
    '/xml-text': answers({ 'application/xml': { example: '<as><written/></as>' } }),
    '/text': answers({ 'text/plain': { example: 'text' } }),
    '/text-number': answers({ 'text/plain': { example: 5 } }),
    '/text-object': answers({ 'text/csv': { example: { a: 1 } } }),
    '/form': answers({ 'application/x-www-form-urlencoded': { example: { a: 'x y', b: [1, 2] } } }),
    '/lines': answers({ 'application/x-ndjson': { example: [{ a: 1 }, { a: 2 }] } }),
    '/binary': answers({
      'application/octet-stream': { schema: { type: 'string', format: 'binary' } }
    }),
    '/odd': answers({ 'application/x-odd': { example: { a: 1 } } })
  },
  { components }
)

mockRows('bodies', bodies, {}, [
  {
    proves: 'the type is sent as written, without a charset',
    send: get('/vendor'),
    expect: {
      status: 200,
      type: 'application/vnd.api+json; profile="x"',
      text: '{"é":"ü"}',
      headers: { 'content-length': '11' }
    }
  },
  {
    proves: 'XML follows the xml objects of the schema',
    send: get('/xml'),
    expect: {
      status: 200,
      type: 'application/xml',
      text:
        '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<p:pet xmlns:p="http://example.com/pets" id="1"><called>a&lt;b&gt;&amp;&quot;c</called>' +
        '<tags><tag>x</tag><tag>y</tag></tags><photo>p</photo><photo>q</photo>' +
        '<owner><first_name>Jo</first_name></owner></p:pet>'
    }
  },
  {
    proves: 'a list at the root has one element around it',
    send: get('/xml-list'),
    expect: { status: 200, text: /\n<xml><xml><a>1<\/a><\/xml><xml><a>2<\/a><\/xml><\/xml>$/ }
  },
  {
    proves: 'a component gives its name, and text/xml is XML',
    send: get('/xml-reference'),
    expect: { status: 200, type: 'text/xml', text: /\n<Plain><a>0<\/a><\/Plain>$/ }
  },
  {
    proves: 'XML without a schema',
    send: get('/xml-nameless'),
    expect: { status: 200, text: /\n<xml><a>1<\/a><a>2<\/a><b\/><\/xml>$/ }
  },
  {
    proves: 'XML written by the author stays',
    send: get('/xml-text'),
    expect: { status: 200, text: '<as><written/></as>' }
  },
  { proves: 'text', send: get('/text'), expect: { status: 200, type: 'text/plain', text: 'text' } },
  { proves: 'a number as text', send: get('/text-number'), expect: { status: 200, text: '5' } },
  {
    proves: 'an object has no text',
    send: get('/text-object'),
    expect: problem('NO_COMPLEX_OBJECT_TEXT', 500, 'Cannot serialise complex objects as text')
  },
  { proves: 'a form', send: get('/form'), expect: { status: 200, text: 'a=x+y&b=1&b=2' } },
  {
    proves: 'JSON lines',
    send: get('/lines'),
    expect: { status: 200, text: '{"a":1}\n{"a":2}\n' }
  },
  {
    proves: 'bytes',
    send: get('/binary'),
    expect: { status: 200, type: 'application/octet-stream', text: 'string' }
  },
  {
    proves: 'an object of an unknown type is JSON',
    send: get('/odd'),
    expect: { status: 200, type: 'application/x-odd', text: '{"a":1}' }
  }
])

function header(schema: object, more: object = {}) {
  return { schema, ...more }
}
const headers = documentOf({
  '/written': { put: { responses: { '200': { description: '' } } } },
  '/headers': answers(
    { 'application/json': { example: 1 } },
    {
      headers: {
        'X-Text': header({ type: 'string' }, { example: 'é and\nmore' }),
        'X-Number': header({ type: 'integer', minimum: 3 }),
        'X-Flag': header({ type: 'boolean' }, { example: false }),
        'X-List': header({ type: 'array', items: { type: 'integer' } }, { example: [1, 2] }),
        'X-Object': header({ type: 'object' }, { example: { a: 1, b: 2 } }),
        'X-Exploded': header({ type: 'object' }, { explode: true, example: { a: 1, b: 2 } }),
        'X-Json': { content: { 'application/json': { example: { a: [1] } } } },
        'X-Null': header({ type: 'null' }),
        'X-Many': {
          schema: { type: 'string' },
          examples: { one: { value: 'first' }, two: { value: 'second' } }
        },
        'X Bad': header({ type: 'string' }),
        'Content-Length': header({ type: 'integer' }, { example: 999 }),
        'Content-Encoding': header({ type: 'string' }, { example: 'gzip' }),
        'Transfer-Encoding': header({ type: 'string' }, { example: 'chunked' }),
        'Access-Control-Allow-Origin': header(
          { type: 'string' },
          { example: 'https://only.example' }
        )
      }
    }
  ),
  '/old': { get: { deprecated: true, responses: { '200': { description: '' } } } },
  '/head': {
    head: {
      responses: {
        '200': {
          description: '',
          headers: { 'X-A': { schema: { const: 'a' } } },
          content: { 'application/json': { example: 1 } }
        }
      }
    }
  },
  '/unchanged': {
    get: {
      responses: { '304': { description: '', content: { 'application/json': { example: 1 } } } }
    }
  },
  '/options': {
    options: {
      responses: {
        '200': { description: '', content: { 'text/plain': { example: 'documented' } } }
      }
    }
  }
})

mockRows('headers', headers, {}, [
  {
    proves: 'every type of header has a text, and none breaks the message',
    send: get('/headers'),
    expect: {
      status: 200,
      text: '1',
      headers: {
        'x-text': '%C3%A9 and%0Amore',
        'x-number': '3',
        'x-flag': 'false',
        'x-list': '1,2',
        'x-object': 'a,1,b,2',
        'x-exploded': 'a=1,b=2',
        'x-json': '{"a":[1]}',
        'x-null': null,
        'x-many': 'first',
        'content-length': '1',
        'content-encoding': null,
        'access-control-allow-origin': 'https://only.example'
      }
    }
  },
  {
    proves: 'a deprecated operation says so',
    send: get('/old'),
    expect: {
      status: 200,
      text: '',
      headers: { deprecation: 'true', 'content-length': '0', 'content-type': null }
    }
  },
  {
    proves: 'HEAD has headers alone, and no violation of ours',
    send: { method: 'HEAD', path: '/head' },
    expect: {
      status: 200,
      text: '',
      headers: { 'x-a': 'a', 'content-type': null, 'sl-violations': null }
    }
  },
  {
    proves: '304 has no body',
    send: get('/unchanged'),
    expect: { status: 304, text: '', headers: { 'content-length': null, 'content-type': null } }
  },
  {
    proves: 'HEAD of a documented GET has its headers and no body',
    send: { method: 'HEAD', path: '/headers' },
    expect: {
      status: 200,
      text: '',
      headers: { 'x-number': '3', 'content-length': '1', 'sl-violations': null }
    }
  },
  {
    proves: 'HEAD of a path with other methods only',
    send: { method: 'HEAD', path: '/written' },
    expect: { status: 405, headers: { allow: 'PUT' } }
  }
])

const PREFLIGHT = { origin: 'https://app.example', 'access-control-request-method': 'PATCH' }

mockRows('cross-origin requests', headers, {}, [
  {
    proves: 'any origin may read any answer',
    send: get('/old'),
    expect: {
      status: 200,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': '*',
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': '*'
      }
    }
  },
  {
    proves: 'an origin is echoed, also with a problem',
    send: get('/nowhere', { origin: 'https://app.example' }),
    expect: { status: 404, headers: { 'access-control-allow-origin': 'https://app.example' } }
  },
  {
    proves: 'a preflight is answered for any path',
    send: {
      method: 'OPTIONS',
      path: '/nowhere',
      headers: { ...PREFLIGHT, 'access-control-request-headers': 'x-a, x-b' }
    },
    expect: {
      status: 204,
      text: '',
      headers: {
        'access-control-allow-origin': 'https://app.example',
        'access-control-allow-methods': 'PATCH',
        'access-control-allow-headers': 'x-a, x-b',
        'content-length': '0',
        vary: 'origin'
      }
    }
  },
  {
    proves: 'also where the document has OPTIONS',
    send: { method: 'OPTIONS', path: '/options', headers: PREFLIGHT },
    expect: { status: 204 }
  },
  {
    proves: 'any other OPTIONS is an operation',
    send: { method: 'OPTIONS', path: '/options' },
    expect: { status: 200, text: 'documented' }
  }
])

mockRows('without cross-origin handling', headers, { cors: false }, [
  {
    proves: 'answers have none of its headers',
    send: get('/old'),
    expect: { status: 200, headers: { 'access-control-allow-credentials': null } }
  },
  {
    proves: 'a preflight is an ordinary request',
    send: { method: 'OPTIONS', path: '/options', headers: PREFLIGHT },
    expect: { status: 200, text: 'documented' }
  }
])

const upload = documentOf({
  '/upload': {
    post: {
      requestBody: {
        content: {
          'text/plain': { schema: { type: 'string' } },
          'application/json': { schema: {} }
        }
      },
      responses: { '200': { description: '' } }
    }
  }
})

mockRows('limits', upload, { maxBodyBytes: 1000 }, [
  {
    proves: 'a body within the limit',
    send: {
      method: 'POST',
      path: '/upload',
      headers: { 'content-type': 'text/plain' },
      body: 'a'.repeat(1000)
    },
    expect: { status: 200 }
  },
  {
    proves: 'a body over the limit',
    send: {
      method: 'POST',
      path: '/upload',
      headers: { 'content-type': 'text/plain' },
      body: 'a'.repeat(1001)
    },
    expect: {
      ...problem('BODY_TOO_LARGE', 413, 'Request body too large'),
      headers: { 'access-control-allow-origin': '*', connection: 'close' }
    }
  },
  {
    proves: 'a body far over the limit',
    send: {
      method: 'POST',
      path: '/upload',
      headers: { 'content-type': 'text/plain' },
      body: 'a'.repeat(5000)
    },
    expect: problem('BODY_TOO_LARGE', 413, 'Request body too large')
  },
  {
    proves: 'JSON that is none',
    send: {
      method: 'POST',
      path: '/upload',
      headers: { 'content-type': 'application/json' },
      body: '{"a":'
    },
    expect: { status: 400, type: 'application/problem+json', text: /"code":"INVALID_JSON"/ }
  }
])

const NAMES = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }

const encoded = documentOf({
  '/names': {
    post: {
      requestBody: { content: { 'application/json': { schema: NAMES } } },
      responses: { '200': { description: '' } }
    },
    put: {
      requestBody: { content: { 'application/json': { schema: NAMES } } },
      responses: {
        '200': { description: '' },
        '415': { description: '', content: { 'application/json': { example: { no: 'coding' } } } }
      }
    }
  }
})

function packed(coding: string, body: Uint8Array<ArrayBuffer> | string, method = 'POST') {
  const headers = { 'content-type': 'application/json', 'content-encoding': coding }
  return { method, path: '/names', headers, body }
}

const NAME = '{"name":"a"}'
const UNPACKED_LIMIT = 1000
const invalid = { status: 422, text: /"Request body must have required property 'name'"/ }

mockRows('encoded request bodies', encoded, { maxBodyBytes: UNPACKED_LIMIT }, [
  { proves: 'gzip', send: packed('gzip', gzipSync(NAME)), expect: { status: 200 } },
  { proves: 'br', send: packed('br', brotliCompressSync(NAME)), expect: { status: 200 } },
  { proves: 'zstd', send: packed('ZSTD', zstdCompressSync(NAME)), expect: { status: 200 } },
  { proves: 'deflate', send: packed('deflate', deflateSync(NAME)), expect: { status: 200 } },
  { proves: 'identity', send: packed('identity', NAME), expect: { status: 200 } },
  {
    proves: 'several codings, the last one first',
    send: packed('gzip, br', brotliCompressSync(gzipSync(NAME))),
    expect: { status: 200 }
  },
  { proves: 'what is inside is validated', send: packed('gzip', gzipSync('{}')), expect: invalid },
  {
    proves: 'another coding is 415, with those that are understood',
    send: packed('compress', NAME),
    expect: {
      ...problem('INVALID_CONTENT_TYPE', 415, 'Invalid content type'),
      headers: { 'accept-encoding': 'gzip, deflate, br, zstd' }
    }
  },
  {
    proves: 'another coding gets the documented 415',
    send: packed('compress', NAME, 'PUT'),
    expect: { status: 415, text: '{"no":"coding"}' }
  },
  {
    proves: 'bytes that are not what the header says',
    send: packed('gzip', NAME),
    expect: { status: 400, text: /"code":"MALFORMED_REQUEST"/ }
  },
  {
    proves: 'few bytes that become more than the limit',
    send: packed('gzip', gzipSync(' '.repeat(UNPACKED_LIMIT + 1))),
    expect: problem('BODY_TOO_LARGE', 413, 'Request body too large')
  }
])

describe('requests no client library sends', () => {
  const rows: [proves: string, bytes: string, status: number, text: RegExp][] = [
    [
      'a malformed request',
      'GET /old HTTP/1.1\r\nbad header\r\n\r\n',
      400,
      /"code":"MALFORMED_REQUEST"/
    ],
    ['an unknown method', 'BREW /old HTTP/1.1\r\n\r\n', 400, /"code":"MALFORMED_REQUEST"/],
    [
      'an absolute address',
      'GET http://x.example/old HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      200,
      /deprecation: true/
    ],
    [
      'two slashes are no host',
      'GET //old HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      404,
      /NO_PATH_MATCHED_ERROR/
    ],
    [
      'a path that does not decode',
      'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      400,
      /MALFORMED_REQUEST/
    ],
    [
      'the asterisk',
      'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      404,
      /NO_PATH_MATCHED_ERROR/
    ]
  ]
  for (const [proves, bytes, status, text] of rows) {
    test(proves, async () => {
      await using mock = await openMock(headers)
      const answer = await sendRaw(mock.url, [bytes], QUIET_MS)
      assert.deepEqual(answer.statuses, [status], answer.text)
      assert.match(answer.text, text)
      assert.deepEqual(mock.defects, [])
    })
  }
})

test('an announced body far beyond the limit is refused unread', async () => {
  await using mock = await openMock(upload, { maxBodyBytes: 1000 })
  const head =
    'POST /upload HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 99999999\r\n\r\n'
  const answer = await sendRaw(mock.url, [head, 'some'], QUIET_MS)
  assert.deepEqual(answer.statuses, [413])
  assert.ok(answer.closed)
})

test('a client that leaves in the middle of its body is no defect', async () => {
  await using mock = await openMock(upload)
  const head =
    'POST /upload HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n'
  const answer = await sendRaw(mock.url, [head, 'some'], 100)
  assert.deepEqual(answer.statuses, [])
  assert.equal((await fetch(`${mock.url}/upload`, { method: 'POST', body: 'a' })).status, 200)
  assert.deepEqual(mock.defects, [])
})

test('a small answer leaves in one piece', async () => {
  await using mock = await openMock(bodies)
  const socket = connect(Number(new URL(mock.url).port), '127.0.0.1')
  socket.write('GET /text HTTP/1.1\r\nHost: x\r\n\r\n')
  const [first] = await once(socket, 'data')
  socket.destroy()
  assert.match(first.toString(), /\r\n\r\ntext$/)
})
