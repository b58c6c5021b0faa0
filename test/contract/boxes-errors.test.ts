import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract, type Row } from '../support/contract.ts'
import { type Stored, scenes } from './boxes-scene.ts'

const ID = '0123456789abcdef01234567'

interface Refused {
  status: number
  message: string | RegExp
  code: string
  position?: number
}

function refuses(
  proves: string,
  request: string,
  body: string | Uint8Array<ArrayBuffer> | undefined,
  { status, message, code, position }: Refused,
  headers: Record<string, string> = {}
): Row {
  const [method = '', path = ''] = request.split(' ')
  return {
    proves,
    send: { method, path, headers, ...(body === undefined ? {} : { body }) },
    expect: {
      status,
      type: 'application/json; charset=utf-8',
      headers: { 'access-control-allow-origin': '*' },
      check({ text }) {
        const told = JSON.parse(text)
        if (message instanceof RegExp) assert.match(told.message, message)
        else assert.equal(told.message, message)
        assert.equal(told.code, code)
        if (position !== undefined) assert.equal(told.position, position)
      }
    }
  }
}

const EMPTY = { status: 400, message: 'Empty body.', code: 'body_empty' }
const BAD_BOX = { status: 400, message: 'Invalid or empty box id', code: 'box_id_invalid' }
const BAD_QUERY = { status: 400, message: 'Invalid query', code: 'invalid_query' }
const BAD_KEY = {
  status: 400,
  message: 'Invalid API-KEY. API-KEY Should be a UUID.',
  code: 'key_malformed'
}
const UNKNOWN = { message: 'Invalid record Id', code: 'record_not_found' }
const NO_TARGET = {
  status: 400,
  message: 'Invalid or empty record id or missing query definition',
  code: 'target_missing'
}

contract('I-2, refusals of the original', { service: 'boxes' }, [
  refuses('no box', 'POST /', '{}', {
    status: 400,
    message: 'Box id cannot be empty.',
    code: 'box_id_missing'
  }),
  refuses('a box id with a control character', 'POST /a%0Ab', '{}', BAD_BOX),
  refuses('a box id that is no UTF-8', 'GET /%ff', undefined, BAD_BOX),
  refuses('a reserved word', 'POST /_meta', '{}', BAD_BOX),
  refuses('a word reserved for later', 'GET /_history/x', undefined, BAD_BOX),
  refuses('a box id over 128 bytes', `POST /${'x'.repeat(129)}`, '{}', {
    status: 400,
    message: 'Box id must be atleast 1 chars long & max. 128 chars.',
    code: 'box_id_length'
  }),
  refuses('a long collection', `POST /b/${'c'.repeat(65)}`, '{}', {
    status: 400,
    message: "Collection name can't be more than 64 chars.",
    code: 'collection_too_long'
  }),
  refuses('a collection with a control character', 'GET /b/%00', undefined, {
    status: 400,
    message: 'Invalid collection name',
    code: 'collection_invalid'
  }),
  refuses('no body', 'POST /b', undefined, EMPTY),
  refuses('no body, though it claims to be JSON', 'POST /b', undefined, EMPTY, {
    'content-type': 'application/json'
  }),
  refuses('an empty list', 'POST /b', ' [ ] ', EMPTY),
  refuses('nothing but a byte order mark', 'POST /b', '\ufeff', EMPTY),
  refuses('no body for an update', `PUT /b/${ID}`, undefined, EMPTY),
  refuses('GET of an unknown record', `GET /b/${ID}`, undefined, { status: 404, ...UNKNOWN }),
  refuses('PUT of an unknown record', `PUT /b/${ID}`, '{}', { status: 400, ...UNKNOWN }),
  refuses('DELETE of an unknown record', `DELETE /b/${ID}`, undefined, { status: 400, ...UNKNOWN }),
  refuses('DELETE of neither a record nor a query', 'DELETE /b', undefined, NO_TARGET),
  refuses('DELETE of a collection without a query', 'DELETE /b/c', undefined, NO_TARGET),
  refuses('PUT without a record', 'PUT /b', '{}', NO_TARGET),
  refuses('PUT to a collection', 'PUT /b/c', '{}', NO_TARGET),
  refuses('PUT with a query instead of a record', 'PUT /b?q=a:1', '{}', {
    status: 400,
    ...UNKNOWN
  }),
  refuses('PUT of a list', `PUT /b/${ID}`, '[{}]', {
    status: 400,
    message: 'Bulk update not supported.',
    code: 'bulk_update'
  }),
  refuses('a malformed key on GET', 'GET /b', undefined, BAD_KEY, { 'x-api-key': 'secret' }),
  refuses('a malformed key on POST', 'POST /b', '{}', BAD_KEY, { authorization: 'Bearer x' }),
  refuses('a query without a colon', 'GET /b?q=name', undefined, BAD_QUERY),
  refuses('a query without a path', 'GET /b?q=:x', undefined, BAD_QUERY),
  refuses('an empty query', 'GET /b?q=', undefined, BAD_QUERY),
  refuses('an empty query does not delete everything', 'DELETE /b?q=', undefined, BAD_QUERY),
  refuses('a condition that is no JSON', 'GET /b?where=x', undefined, BAD_QUERY),
  refuses('an operator that is none', 'GET /b?where={"a":{"$near":1}}', undefined, {
    status: 400,
    message: /\$near/,
    code: 'unknown_operator'
  }),
  refuses('a negative limit', 'GET /b?limit=-1', undefined, {
    status: 400,
    message: 'limit must be a whole number, 0 or greater',
    code: 'invalid_paging'
  }),
  refuses('a skip that is no number', 'GET /b?skip=many', undefined, {
    status: 400,
    message: 'skip must be a whole number, 0 or greater',
    code: 'invalid_paging'
  }),
  refuses('a cursor that is none', 'GET /b?cursor=abc', undefined, {
    status: 400,
    message: /cursor/i,
    code: 'invalid_cursor'
  }),
  refuses('a method the original does not know', `PROPFIND /b/${ID}`, '{}', {
    status: 404,
    message: `No route PROPFIND /b/${ID}`,
    code: 'route_not_found'
  })
])

function notJson(proves: string, body: string | Uint8Array<ArrayBuffer>, position: number): Row {
  const refused = { status: 400, message: /./, code: 'invalid_json', position }
  return refuses(proves, 'POST /strict', body, refused)
}

const NOT_AN_OBJECT = { status: 400, message: /./, code: 'invalid_json' }

contract('I-2, what is no JSON is refused with its place', { service: 'boxes' }, [
  notJson('a trailing comma', '{"a":1,}', 7),
  notJson('a leading zero', '{"a":01}', 6),
  notJson('NaN', '{"a":NaN}', 5),
  notJson('a comment', '{"a":1/**/}', 6),
  notJson('single quotes', "{'a':1}", 1),
  notJson('a raw control character', '{"a":"\n"}', 6),
  notJson('a half escape', '{"a":"\\u12"}', 8),
  notJson('text behind the end', '{"a":1} x', 8),
  notJson('two records side by side', '{}{}', 2),
  notJson('an end too early', '{"a":[1,2', 9),
  notJson('a space that JSON does not know', '{"a":\u00a01}', 5),
  notJson('a place counted in bytes', '{"é":}', 6),
  notJson('blanks alone', '  \n ', 4),
  refuses('bytes that are no UTF-8', 'POST /strict', Uint8Array.of(123, 34, 255, 34, 58, 49, 125), {
    status: 400,
    message: /UTF-8/,
    code: 'invalid_utf8',
    position: 2
  }),
  refuses('surrogates spelled as UTF-8', 'POST /strict', Uint8Array.of(34, 237, 160, 128, 34), {
    status: 400,
    message: /UTF-8/,
    code: 'invalid_utf8'
  }),
  refuses('a number for a record', 'POST /strict', '5', { ...NOT_AN_OBJECT, position: 0 }),
  refuses('a text for a record', 'POST /strict', ' "x"', { ...NOT_AN_OBJECT, position: 1 }),
  refuses('null in a list', 'POST /strict', '[{},null]', { ...NOT_AN_OBJECT, position: 4 }),
  refuses('a list in a list', 'POST /strict', '[[{}]]', { ...NOT_AN_OBJECT, position: 1 }),
  {
    proves: 'and nothing of it is stored',
    send: { path: '/strict' },
    expect: { status: 200, text: '[]' }
  }
])

const TOO_LARGE = (kilobytes: number) => ({
  status: 413,
  message: `JSON body is too large. Should be less than ${kilobytes}KB`,
  code: 'body_too_large'
})

function sized(bytes: number): string {
  return `{"a":"${'x'.repeat(bytes - 8)}"}`
}

contract(
  'I-2, limits',
  {
    service: 'boxes',
    options: { minId: 20, maxRecordBytes: 2048, maxRequestBytes: 8192, maxCollection: 5 }
  },
  [
    refuses('a box id below the least length', 'POST /short', '{}', {
      status: 400,
      message: 'Box id must be atleast 20 chars long & max. 128 chars.',
      code: 'box_id_length'
    }),
    refuses('a collection over the length', `GET /${'b'.repeat(20)}/people`, undefined, {
      status: 400,
      message: "Collection name can't be more than 5 chars.",
      code: 'collection_too_long'
    }),
    refuses('a record over its size', `POST /${'b'.repeat(20)}`, sized(2049), TOO_LARGE(2)),
    refuses(
      'a record over its size, in characters of two bytes',
      `POST /${'b'.repeat(20)}`,
      `{"a":"${'é'.repeat(1021)}"}`,
      TOO_LARGE(2)
    ),
    refuses(
      'a request over its size',
      `POST /${'b'.repeat(20)}`,
      `[${sized(2000)},${sized(2000)},${sized(2000)},${sized(2000)},${sized(300)}]`,
      TOO_LARGE(8)
    ),
    {
      proves: 'a record of exactly its size is stored',
      send: { method: 'POST', path: `/${'b'.repeat(20)}`, body: sized(2048) },
      expect: { status: 200 }
    },
    {
      proves: 'the size limit is told',
      send: { path: `/_meta/${'b'.repeat(20)}` },
      expect: { status: 200, text: /^\{"_count":1,"_sizeLimit":2,/ }
    }
  ]
)

scenes('I-2, accepted where the original refuses', {}, (boxes) => {
  test('empty objects, and names that begin with anything', async () => {
    const { get, store } = boxes()
    await store('/wide', '{}')
    await store('/wide', '{"":1,"1":2,"_x":3,"$set":4,"a.b":5,"_expiry":6}')
    const [odd, empty] = await get('/wide')
    assert.deepEqual(Object.keys(empty ?? {}), ['_id', '_createdOn'])
    assert.deepEqual(
      { ...odd, _id: '', _createdOn: '' },
      { '': 1, 1: 2, _x: 3, $set: 4, 'a.b': 5, _expiry: 6, _id: '', _createdOn: '' }
    )
  })

  test('a byte order mark and blanks around are dropped, blanks inside kept', async () => {
    const { ask } = boxes()
    const { text } = await ask('POST /wide', '\ufeff \n{ "a" : 1 }\t')
    assert.match(text, /^\{"_id":"[0-9a-f]{24}", "a" : 1 ,"_createdOn":"[^"]+"\}$/)
  })

  test('no content type, or any, is fine', async () => {
    const { ask } = boxes()
    for (const type of [
      '',
      'text/plain',
      ';;;',
      'multipart/form-data',
      'application/json; charset=latin1'
    ]) {
      const { status, text } = await ask(
        'POST /wide',
        new TextEncoder().encode('{"é":1}'),
        type ? { 'content-type': type } : {}
      )
      assert.equal(status, 200, type)
      assert.ok(text.includes('"é":1'), type)
    }
  })

  test('a key sent to a public box is ignored, a malformed one by PUT and DELETE', async () => {
    const { ask, store } = boxes()
    const { _id } = await store<Stored>('/public', '{}')
    const key = { 'x-api-key': '4fbf7c06-5a3f-4d29-9d8a-1f1f0b8a4e11' }
    await store('/public', '{}', key)
    await store('/public', '{}')
    assert.equal((await ask(`PUT /public/${_id}`, '{}', { 'x-api-key': 'x' })).status, 200)
    assert.equal((await ask(`DELETE /public/${_id}`, undefined, { 'x-api-key': 'x' })).status, 200)
  })
})
