import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type BodyRow,
  contentOf,
  sendBody,
  testBodies
} from '../../../../test/support/mock-requests.ts'

const integer = { type: 'integer' }
const text = { type: 'string' }
const pet = {
  type: 'object',
  properties: { id: { type: 'integer', readOnly: true }, name: text, age: integer },
  required: ['id', 'name'],
  additionalProperties: false
}
const JSON_PET = { content: { 'application/json': { schema: pet } } }

const PRESENCE: BodyRow[] = [
  ['no body, none described', undefined, undefined, undefined, 'none'],
  ['no body, an optional one described', JSON_PET, undefined, undefined, 'none'],
  [
    'no body, a required one described',
    { ...JSON_PET, required: true },
    undefined,
    undefined,
    ['required']
  ],
  ['empty body is absent', { ...JSON_PET, required: true }, 'application/json', '', ['required']],
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

const MEDIA_TYPES: BodyRow[] = [
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
  ['not a media type', JSON_PET, 'json', '{}', [415]],
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
  ['any, without a content type', contentOf('*/*', text), undefined, 'abc', 'abc'],
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

const JSON_ROWS: BodyRow[] = [
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
    'a readOnly member is called readOnly',
    JSON_PET,
    'application/json',
    '{"name":"a","id":1}',
    ['readOnly']
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
  ['not UTF-8', JSON_PET, 'application/json', Uint8Array.of(0x22, 0xff, 0x22), ['json']],
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
    '['.repeat(900) + ']'.repeat(900),
    ['type']
  ],
  [
    'deeper than the limit',
    contentOf('application/json', true),
    'application/json',
    '[{"a":'.repeat(900) + '}]'.repeat(900),
    ['depth']
  ],
  [
    'brackets in a text',
    contentOf('application/json', { maxLength: 1 }),
    'application/json',
    `"\\"${'['.repeat(2000)}"`,
    ['maxLength']
  ]
]

const OTHERS: BodyRow[] = [
  ['text', contentOf('text/plain', { type: 'string', maxLength: 3 }), 'text/plain', 'abc', 'abc'],
  [
    'text too long',
    contentOf('text/plain', { type: 'string', maxLength: 3 }),
    'text/plain',
    'abcd',
    ['maxLength']
  ],
  ['text is not a number', contentOf('text/plain', integer), 'text/plain', '5', ['type']],
  [
    'text in latin1',
    contentOf('text/plain', text),
    'text/plain; charset=iso-8859-1',
    Uint8Array.of(0xe4),
    'ä'
  ],
  [
    'text that is not UTF-8',
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
  ['bytes of an image', { content: { 'image/*': {} } }, 'image/png', Uint8Array.of(255), '\xff']
]

const TABLES = { presence: PRESENCE, 'media types': MEDIA_TYPES, JSON: JSON_ROWS, others: OTHERS }

for (const [name, rows] of Object.entries(TABLES)) describe(name, () => testBodies(rows))

describe('findings', () => {
  async function messages(...sent: Parameters<typeof sendBody>) {
    const { diagnostics } = await sendBody(...sent)
    return diagnostics.map(({ location, message }) => [...location, message].join(' | '))
  }
  const nested = contentOf('application/json', {
    properties: { a: { properties: { b: integer } } },
    unevaluatedProperties: false
  })
  const rows: [string, Parameters<typeof sendBody>, string[]][] = [
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
      [JSON_PET, 'application/json', '{"name":"a","x":1}'],
      ["body | Request body must NOT have additional properties; found 'x'"]
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

  test('malformed JSON results in a problem of status 400', async () => {
    const { malformed } = await sendBody(JSON_PET, 'application/json', '{')
    assert.equal(malformed?.code, 'INVALID_JSON')
    assert.equal(malformed?.status, 400)
  })
})
