import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../document/json.ts'
import { buildApi } from '../model/build.ts'
import { createSchemas } from '../schema/schemas.ts'
import { createRequestCheck, type RequestCheck } from './check.ts'

const integer = { type: 'integer' }
const text = { type: 'string' }
const pet = {
  type: 'object',
  properties: { id: { type: 'integer', readOnly: true }, name: text, age: integer },
  required: ['id', 'name'],
  additionalProperties: false
}
const JSON_PET = { content: { 'application/json': { schema: pet } } }

async function send(
  requestBody: JsonObject | undefined,
  type: string | undefined,
  body: string | Uint8Array | undefined
): Promise<RequestCheck> {
  const operation = requestBody === undefined ? {} : { requestBody }
  const document: JsonObject = { openapi: '3.1.0', paths: { '/a': { post: operation } } }
  const [built] = buildApi(document).operations
  assert.ok(built)
  const { check } = createRequestCheck(built, createSchemas(document))
  const incoming = {
    method: 'POST',
    path: '/a',
    query: '',
    headers: type === undefined ? {} : { 'content-type': type },
    body: typeof body === 'string' ? Buffer.from(body) : body
  }
  return await check(incoming, new Map())
}

/** What was read, or the codes of what was wrong. */
async function play(...[body, type, sent]: Parameters<typeof send>): Promise<unknown> {
  const { diagnostics, values } = await send(body, type, sent)
  if (diagnostics.length > 0) return diagnostics.map(({ code, message }) => code ?? message)
  return values.body === undefined ? 'none' : JSON.parse(JSON.stringify(values.body))
}

type Row = [
  proves: string,
  requestBody: JsonObject | undefined,
  type: string | undefined,
  body: string | Uint8Array | undefined,
  expected: unknown
]

function contentOf(type: string, schema: JsonObject | boolean, more: JsonObject = {}): JsonObject {
  return { content: { [type]: { schema, ...more } } }
}

const PRESENCE: Row[] = [
  ['no body, none described', undefined, undefined, undefined, 'none'],
  ['no body, an optional one described', JSON_PET, undefined, undefined, 'none'],
  [
    'no body, a required one described',
    { ...JSON_PET, required: true },
    undefined,
    undefined,
    ['required']
  ],
  ['an empty body is none', { ...JSON_PET, required: true }, 'application/json', '', ['required']],
  ['a body, none described', undefined, 'application/json', '{}', [415]],
  [
    'null is a body',
    { required: true, ...contentOf('application/json', { type: 'null' }) },
    'application/json',
    'null',
    null
  ],
  [
    '0 is a body',
    { required: true, ...contentOf('application/json', integer) },
    'application/json',
    '0',
    0
  ],
  [
    'an empty text is a body',
    { required: true, ...contentOf('application/json', text) },
    'application/json',
    '""',
    ''
  ],
  ['a body without contents may be anything', { content: {} }, 'a/b', 'x', 'none']
]

const MEDIA_TYPES: Row[] = [
  ['the same', JSON_PET, 'application/json', '{"name":"a"}', { name: 'a' }],
  [
    'in another case, with parameters',
    JSON_PET,
    'Application/JSON; Charset="utf-8"',
    '{"name":"a"}',
    { name: 'a' }
  ],
  ['another', JSON_PET, 'text/plain', 'a', [415]],
  ['none at all', JSON_PET, undefined, '{"name":"a"}', { name: 'a' }],
  ['no media type', JSON_PET, 'json', '{}', [415]],
  ['garbage', JSON_PET, ';;;', '{}', [415]],
  ['a vendor type for plain JSON', JSON_PET, 'application/vnd.x+json', '{"name":"a"}', [415]],
  [
    'plain JSON for a vendor type',
    contentOf('application/vnd.x+json', pet),
    'application/json',
    '{"name":"a"}',
    [415]
  ],
  [
    'another vendor',
    contentOf('application/vnd.x+json', pet),
    'application/vnd.y+json',
    '{"name":"a"}',
    [415]
  ],
  [
    'the vendor',
    contentOf('application/vnd.x+json', pet),
    'application/vnd.x+json',
    '{"name":1}',
    ['type']
  ],
  [
    'any of a suffix',
    contentOf('application/*+json', pet),
    'application/vnd.y+json',
    '{"name":1}',
    ['type']
  ],
  ['any of a type', contentOf('application/*', pet), 'application/json', '{"name":1}', ['type']],
  ['any', contentOf('*/*', pet), 'application/json', '{"name":1}', ['type']],
  ['any, of nothing said', contentOf('*/*', text), undefined, 'abc', 'abc'],
  [
    'the closest of several',
    {
      content: {
        '*/*': { schema: false },
        'application/*': { schema: false },
        'application/json': { schema: true }
      }
    },
    'application/json',
    '1',
    1
  ],
  [
    'parameters choose',
    {
      content: { 'application/json': { schema: false }, 'application/json;v=2': { schema: true } }
    },
    'application/json; v=2',
    '1',
    1
  ]
]

const JSON_ROWS: Row[] = [
  ['valid', JSON_PET, 'application/json', '{"name":"a","age":1}', { name: 'a', age: 1 }],
  ['a member missing', JSON_PET, 'application/json', '{}', ['required']],
  [
    'a member too many',
    JSON_PET,
    'application/json',
    '{"name":"a","x":1}',
    ['additionalProperties']
  ],
  [
    'a readOnly member is one too many',
    JSON_PET,
    'application/json',
    '{"name":"a","id":1}',
    ['additionalProperties']
  ],
  [
    'numbers are not made of texts',
    JSON_PET,
    'application/json',
    '{"name":"a","age":"1"}',
    ['type']
  ],
  ['malformed', JSON_PET, 'application/json', '{"name":', ['json']],
  [
    'malformed without a schema',
    { content: { 'application/json': {} } },
    'application/json',
    '{',
    ['json']
  ],
  ['no UTF-8', JSON_PET, 'application/json', Uint8Array.of(0x22, 0xff, 0x22), ['json']],
  ['a byte order mark', JSON_PET, 'application/json', '\ufeff{"name":"a"}', { name: 'a' }],
  [
    'UTF-16',
    JSON_PET,
    'application/json; charset=utf-16le',
    Buffer.from('{"name":"ä"}', 'utf16le'),
    { name: 'ä' }
  ],
  ['an unknown character set', JSON_PET, 'application/json; charset=klingon', '{}', [415]],
  [
    'very deep',
    contentOf('application/json', integer),
    'application/json',
    '['.repeat(50_000) + ']'.repeat(50_000),
    ['type']
  ]
]

const FORM = 'application/x-www-form-urlencoded'
const fields = {
  type: 'object',
  properties: {
    name: text,
    age: integer,
    tags: { type: 'array', items: text },
    point: { type: 'object', properties: { x: integer, y: integer } },
    rows: { type: 'array', items: { type: 'object', properties: { a: integer } } }
  },
  required: ['name']
}
const form = (encoding: JsonObject = {}) => contentOf(FORM, fields, { encoding })

const FORM_ROWS: Row[] = [
  ['fields', form(), FORM, 'name=a+b%21&age=5', { name: 'a b!', age: 5 }],
  ['a field missing', form(), FORM, 'age=5', ['required']],
  ['no number', form(), FORM, 'name=a&age=x', ['type']],
  ['a list, repeated', form(), FORM, 'name=a&tags=x&tags=y', { name: 'a', tags: ['x', 'y'] }],
  ['a list of one', form(), FORM, 'name=a&tags=x', { name: 'a', tags: ['x'] }],
  [
    'a list, joined',
    form({ tags: { explode: false } }),
    FORM,
    'name=a&tags=x,y',
    { name: 'a', tags: ['x', 'y'] }
  ],
  [
    'a list by pipes',
    form({ tags: { style: 'pipeDelimited' } }),
    FORM,
    'name=a&tags=x|y',
    { name: 'a', tags: ['x', 'y'] }
  ],
  ['an object, spread', form(), FORM, 'name=a&x=1&y=2', { name: 'a', point: { x: 1, y: 2 } }],
  [
    'an object as JSON',
    form(),
    FORM,
    'name=a&point=%7B%22x%22%3A1%7D',
    { name: 'a', point: { x: 1 } }
  ],
  [
    'an object as bad JSON',
    form({ point: { contentType: 'application/json' } }),
    FORM,
    'name=a&point=%7B',
    ['encoding']
  ],
  [
    'a deep object',
    form({ point: { style: 'deepObject', explode: true, allowReserved: true } }),
    FORM,
    'name=a&point[x]=1',
    { name: 'a', point: { x: 1 } }
  ],
  [
    'a list of objects',
    form(),
    FORM,
    'name=a&rows=%7B%22a%22%3A1%7D&rows=%7B%22a%22%3A2%7D',
    { name: 'a', rows: [{ a: 1 }, { a: 2 }] }
  ],
  ['a list of objects that are none', form(), FORM, 'name=a&rows=x', ['encoding']],
  [
    'other fields',
    form(),
    FORM,
    'name=a&more=1&more=2&__proto__=3',
    { name: 'a', more: ['1', '2'], ['__proto__']: '3' }
  ],
  [
    'reserved characters',
    form({ name: {} }),
    FORM,
    'name=a/b',
    ['Reserved characters used in request body']
  ],
  [
    'reserved characters allowed',
    form({ name: { allowReserved: true } }),
    FORM,
    'name=a/b',
    { name: 'a/b' }
  ],
  ['reserved characters without encoding', form(), FORM, 'name=a/b', { name: 'a/b' }],
  ['a bad percent sign', form(), FORM, 'name=%zz', { name: '%zz' }]
]

const MULTIPART = 'multipart/form-data; boundary=b'
const upload = {
  type: 'object',
  properties: {
    file: { type: 'string', format: 'binary', maxLength: 5 },
    files: { type: 'array', items: { type: 'string', format: 'binary' } },
    age: integer,
    meta: { type: 'object', properties: { a: integer } },
    tags: { type: 'array', items: integer }
  },
  required: ['file']
}
const multipart = (encoding: JsonObject = {}) =>
  contentOf('multipart/form-data', upload, { encoding })

function parts(...all: [headers: string, content: string | Uint8Array][]): Uint8Array {
  const pieces = all.flatMap(([headers, content]) => [
    `--b\r\nContent-Disposition: form-data; ${headers}\r\n\r\n`,
    content,
    '\r\n'
  ])
  return Buffer.concat([...pieces, '--b--\r\n'].map((piece) => Buffer.from(piece)))
}

const FILE: [string, Uint8Array] = [
  'name="file"; filename="a.bin"\r\nContent-Type: image/png',
  Uint8Array.of(0, 255, 13, 10)
]
const FILE_VALUE = '\x00\xff\r\n'

const MULTIPART_ROWS: Row[] = [
  [
    'a file and a field',
    multipart(),
    MULTIPART,
    parts(FILE, ['name="age"', '5']),
    { file: FILE_VALUE, age: 5 }
  ],
  [
    'a file too large',
    multipart(),
    MULTIPART,
    parts(['name="file"; filename="a"', '123456']),
    ['maxLength']
  ],
  ['no file', multipart(), MULTIPART, parts(['name="age"', '5']), ['required']],
  ['no number', multipart(), MULTIPART, parts(FILE, ['name="age"', 'x']), ['type']],
  [
    'a JSON part',
    multipart(),
    MULTIPART,
    parts(FILE, ['name="meta"\r\nContent-Type: application/json', '{"a":1}']),
    { file: FILE_VALUE, meta: { a: 1 } }
  ],
  [
    'an object without a type is JSON',
    multipart(),
    MULTIPART,
    parts(FILE, ['name="meta"', '{"a":"x"}']),
    ['type']
  ],
  ['bad JSON in a part', multipart(), MULTIPART, parts(FILE, ['name="meta"', '{']), ['encoding']],
  [
    'a list',
    multipart(),
    MULTIPART,
    parts(FILE, ['name="tags"', '1'], ['name="tags"', '2']),
    { file: FILE_VALUE, tags: [1, 2] }
  ],
  [
    'a list, joined',
    multipart({ tags: { explode: false } }),
    MULTIPART,
    parts(FILE, ['name="tags"', '1,2']),
    { file: FILE_VALUE, tags: [1, 2] }
  ],
  [
    'one of several files',
    multipart(),
    MULTIPART,
    parts(FILE, ['name="files"; filename="x"', 'x']),
    { file: FILE_VALUE, files: ['x'] }
  ],
  [
    'the wanted type',
    multipart({ file: { contentType: 'image/png, image/*' } }),
    MULTIPART,
    parts(FILE),
    { file: FILE_VALUE }
  ],
  [
    'another type',
    multipart({ file: { contentType: 'image/jpeg' } }),
    MULTIPART,
    parts(FILE),
    ['contentMediaType']
  ],
  ['no boundary', multipart(), 'multipart/form-data', parts(FILE), [415]],
  ['cut off', multipart(), MULTIPART, parts(FILE).subarray(0, 90), ['form']],
  ['not multipart at all', multipart(), MULTIPART, 'hello', ['form']],
  [
    'a field called __proto__',
    multipart(),
    MULTIPART,
    parts(FILE, ['name="__proto__"', '1']),
    { file: FILE_VALUE, ['__proto__']: '1' }
  ]
]

const XML = 'application/xml'
const animal = {
  type: 'object',
  xml: { name: 'animal', namespace: 'urn:x', prefix: 'p' },
  properties: {
    id: { type: 'integer', xml: { attribute: true } },
    name: { type: 'string', xml: { name: 'label' } },
    ok: { type: 'boolean' },
    tags: {
      type: 'array',
      xml: { wrapped: true },
      items: { type: 'string', xml: { name: 'tag' } }
    },
    legs: { type: 'array', items: { type: 'integer', xml: { name: 'leg' } } },
    home: { type: 'object', properties: { zip: integer } },
    note: { type: ['string', 'null'] }
  },
  required: ['name'],
  additionalProperties: false
}
const xml = contentOf(XML, animal)

const XML_ROWS: Row[] = [
  [
    'names and attributes',
    xml,
    XML,
    '<animal id="5"><label>a &lt; &#65;</label><ok>true</ok></animal>',
    { id: 5, name: 'a < A', ok: true }
  ],
  [
    'wrapped and plain lists',
    xml,
    XML,
    '<a><label>x</label><tags><tag>1</tag><tag>2</tag></tags><leg>1</leg><leg>2</leg></a>',
    { name: 'x', tags: ['1', '2'], legs: [1, 2] }
  ],
  ['an empty wrapped list', xml, XML, '<a><label>x</label><tags/></a>', { name: 'x', tags: [] }],
  [
    'prefixes and namespaces',
    xml,
    XML,
    '<p:animal xmlns:p="urn:x"><p:label>x</p:label></p:animal>',
    { name: 'x' }
  ],
  ['an object inside', xml, 'text/xml', '<a/>', [415]],
  [
    'a nested object',
    xml,
    XML,
    '<a><label>x</label><home><zip>5</zip></home></a>',
    { name: 'x', home: { zip: 5 } }
  ],
  [
    'nothing said by xsi:nil',
    xml,
    XML,
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><label>x</label><note xsi:nil="true"/></a>',
    { name: 'x', note: null }
  ],
  ['CDATA', xml, XML, '<a><label><![CDATA[<x>]]></label></a>', { name: '<x>' }],
  ['no number', xml, XML, '<a id="x"><label>x</label></a>', ['type']],
  [
    'an element too many',
    xml,
    XML,
    '<a><label>x</label><other>1</other></a>',
    ['additionalProperties']
  ],
  ['an element missing', xml, XML, '<a/>', ['required']],
  ['not closed', xml, XML, '<a><label>x</label>', ['xml']],
  ['no XML', xml, XML, 'hello', ['xml']],
  [
    'entities are not expanded',
    xml,
    XML,
    '<!DOCTYPE a [<!ENTITY e "x">]><a><label>&e;</label></a>',
    ['xml']
  ],
  ['nested without end', xml, XML, '<a>'.repeat(100_000), ['xml']],
  [
    'a suffix',
    contentOf('application/soap+xml', animal),
    'application/soap+xml',
    '<a><label>x</label></a>',
    { name: 'x' }
  ],
  ['described as text', contentOf(XML, text), XML, '<a/>', '<a/>'],
  [
    'without a schema',
    { content: { [XML]: {} } },
    XML,
    '<a><b>1</b><b>2</b><c d="3"/></a>',
    { b: ['1', '2'], c: { d: '3' } }
  ],
  [
    '__proto__ as an element',
    { content: { [XML]: {} } },
    XML,
    '<a><__proto__>1</__proto__></a>',
    { ['__proto__']: '1' }
  ]
]

const OTHERS: Row[] = [
  ['text', contentOf('text/plain', { type: 'string', maxLength: 3 }), 'text/plain', 'abc', 'abc'],
  [
    'text too long',
    contentOf('text/plain', { type: 'string', maxLength: 3 }),
    'text/plain',
    'abcd',
    ['maxLength']
  ],
  ['text is no number', contentOf('text/plain', integer), 'text/plain', '5', ['type']],
  [
    'text in latin1',
    contentOf('text/plain', text),
    'text/plain; charset=iso-8859-1',
    Uint8Array.of(0xe4),
    'ä'
  ],
  [
    'text that is no UTF-8',
    contentOf('text/plain', text),
    'text/plain',
    Uint8Array.of(0xe4),
    ['charset']
  ],
  [
    'bytes',
    contentOf('application/octet-stream', { type: 'string', format: 'binary' }),
    'application/octet-stream',
    Uint8Array.of(0, 255),
    '\x00\xff'
  ],
  ['bytes of a picture', { content: { 'image/*': {} } }, 'image/png', Uint8Array.of(255), '\xff']
]

const TABLES: Record<string, Row[]> = {
  presence: PRESENCE,
  'media types': MEDIA_TYPES,
  JSON: JSON_ROWS,
  forms: FORM_ROWS,
  multipart: MULTIPART_ROWS,
  XML: XML_ROWS,
  others: OTHERS
}

for (const [name, rows] of Object.entries(TABLES)) {
  describe(name, () => {
    for (const [proves, requestBody, type, body, expected] of rows) {
      test(proves, async () => assert.deepEqual(await play(requestBody, type, body), expected))
    }
  })
}

describe('findings', () => {
  async function messages(...sent: Parameters<typeof send>) {
    const { diagnostics } = await send(...sent)
    return diagnostics.map(({ location, message }) => [...location, message].join(' | '))
  }
  const nested = contentOf('application/json', {
    properties: { a: { properties: { b: integer } } },
    unevaluatedProperties: false
  })
  const rows: [string, Parameters<typeof send>, string[]][] = [
    [
      'a required body',
      [{ ...JSON_PET, required: true }, undefined, undefined],
      ['Body parameter is required']
    ],
    [
      'no contents',
      [undefined, 'a/b', 'x'],
      ['No supported content types, but request included a non-empty body']
    ],
    [
      'other contents',
      [{ content: { 'application/json': {}, 'text/plain': {} } }, 'a/b', 'x'],
      ['Supported content types: application/json,text/plain']
    ],
    [
      'a member too many',
      [JSON_PET, 'application/json', '{"name":"a","id":1}'],
      ["body | Request body must NOT have additional properties; found 'id'"]
    ],
    [
      'a nested member',
      [nested, 'application/json', '{"a":{"b":"x"}}'],
      ['body | a | b | Request body property a.b must be integer']
    ],
    [
      'an unevaluated member',
      [nested, 'application/json', '{"c":1}'],
      ["body | Request body must NOT have unevaluated properties: 'c'"]
    ]
  ]
  for (const [proves, sent, expected] of rows) {
    test(proves, async () => assert.deepEqual(await messages(...sent), expected))
  }

  test('malformed JSON comes with a problem of status 400', async () => {
    const { malformed } = await send(JSON_PET, 'application/json', '{')
    assert.equal(malformed?.code, 'INVALID_JSON')
    assert.equal(malformed?.status, 400)
  })
})
