import { type BodyRow, contentOf, testBodies } from '../../../../test/support/mock-requests.ts'
import type { JsonObject } from '../document/json.ts'

const integer = { type: 'integer' }

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

const MULTIPART_ROWS: BodyRow[] = [
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
  ['not a number', multipart(), MULTIPART, parts(FILE, ['name="age"', 'x']), ['type']],
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

testBodies(MULTIPART_ROWS)
