import assert from 'node:assert/strict'
import { test } from 'node:test'
import { content, inHeader, inPath, inQuery, ref, requestBody, response } from './openapi.ts'

const NUMBER = { type: 'integer' }

/** Compared as JSON, because the order of members is part of a published document. */
const cases: readonly [string, object, string][] = [
  ['a reference', ref('Thing'), '{"$ref":"#/components/schemas/Thing"}'],
  [
    'content is JSON unless told',
    content(NUMBER),
    '{"application/json":{"schema":{"type":"integer"}}}'
  ],
  [
    'content of two media types',
    content({}, 'text/csv', 'text/plain'),
    '{"text/csv":{"schema":{}},"text/plain":{"schema":{}}}'
  ],
  [
    'a request body is required',
    requestBody(NUMBER),
    '{"required":true,"content":{"application/json":{"schema":{"type":"integer"}}}}'
  ],
  [
    'a request body of another media type',
    requestBody({}, 'multipart/form-data'),
    '{"required":true,"content":{"multipart/form-data":{"schema":{}}}}'
  ],
  ['a response without a body', response('Done.'), '{"description":"Done."}'],
  [
    'a response with a body',
    response('Done.', {}, 'image/png'),
    '{"description":"Done.","content":{"image/png":{"schema":{}}}}'
  ],
  [
    'a parameter in the path is required',
    inPath('id'),
    '{"name":"id","in":"path","required":true,"schema":{"type":"string"}}'
  ],
  [
    'a parameter in the path with a description',
    inPath('id', 'A number.', NUMBER),
    '{"name":"id","in":"path","required":true,"description":"A number.","schema":{"type":"integer"}}'
  ],
  [
    'a parameter in the query',
    inQuery('page', 'Which one.', NUMBER),
    '{"name":"page","in":"query","description":"Which one.","schema":{"type":"integer"}}'
  ],
  [
    'a header',
    inHeader('If-Match', 'A tag.'),
    '{"name":"If-Match","in":"header","description":"A tag.","schema":{"type":"string"}}'
  ]
]

for (const [name, part, text] of cases) {
  test(name, () => assert.equal(JSON.stringify(part), text))
}

test('no member is undefined', () => {
  for (const [, part] of cases) assert.ok(!Object.values(part).includes(undefined))
})
