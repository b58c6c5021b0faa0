import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinList, readBody, readBodySlowly, splice } from './record-text.ts'

function check(text: string, ...expected: string[]): void {
  const { records } = readBody(text)
  assert.deepEqual(
    records.map(({ raw }) => raw),
    expected,
    text
  )
}

test('space around the braces is removed, space inside is kept', () => {
  check('{}', '{}')
  check(' \t\r\n{ } \n', '{ }')
  check(' { "a" : 1 , "b" : [ 1 ] } ', '{ "a" : 1 , "b" : [ 1 ] }')
  check('[ {"a":1} , { "b":2 } ]', '{"a":1}', '{ "b":2 }')
  check('[]')
})

test('reserved names are cut out with the comma that fits', () => {
  check('{"_id":1}', '{}')
  check('{ "_id" : 1 }', '{}')
  check('{"_id":1,"a":2}', '{"a":2}')
  check('{"a":2,"_id":1}', '{"a":2}')
  check('{"a":1,"_id":[{"x":","}],"b":2}', '{"a":1,"b":2}')
  check('{ "a":1 , "_createdOn":"x" , "b":2 }', '{ "a":1 , "b":2 }')
  check('{"_id":1,"_updatedOn":2,"a":3,"_collection":4,"_createdOn":5}', '{"a":3}')
  check('{"_id":1,"_id":2}', '{}')
  check('[{"_id":1},{"a":"_id","_id":{}}]', '{}', '{"a":"_id"}')
  check('[{"_id":1,"a":2},{"b":3,"_id":1},{}]', '{"a":2}', '{"b":3}', '{}')
})

test('escapes do not hide a reserved name', () => {
  check('{"\\u005fid":1,"a":2}', '{"a":2}')
  check('{"_\\u0069d":1,"a":2}', '{"a":2}')
  check('{"_created\\u004Fn":1}', '{}')
})

test('other names are allowed', () => {
  for (const raw of ['{"_expiry":1}', '{"_id2":1}', '{"_ID":1}', '{"id":1}', '{"a":{"_id":1}}']) {
    check(raw, raw)
  }
  check('{"\\\\_id":1,"__proto__":2}', '{"\\\\_id":1,"__proto__":2}')
})

test('counts all records and keeps up to the limit', async () => {
  const limits = { keep: 2, maxLength: 100 }
  const text = '[{"a":1},{"a":2},{"a":3}]'
  const { many, count, records } = await readBodySlowly(text, limits, () => undefined)
  assert.deepEqual([many, count, records.map(({ raw }) => raw)], [true, 3, ['{"a":1}', '{"a":2}']])
  assert.deepEqual(
    { ...readBody('{"a":1e1}') },
    { many: false, count: 1, records: [{ raw: '{"a":1e1}', doc: '{"a":10}' }] }
  )
})

test('the query copy has no reserved names', () => {
  assert.equal(readBody('{"_id":1,"a":2}').records[0]?.doc, '{"a":2}')
  assert.equal(readBody('{"_id":1e5,"a":2}').records[0]?.doc, '{"a":2}')
})

const system = { id: 'id1', createdOn: 'then' }

test('a response is the text with the system members around it', () => {
  assert.equal(splice('{}', system), '{"_id":"id1","_createdOn":"then"}')
  assert.equal(splice('{ \t\r\n}', system), '{"_id":"id1" \t\r\n,"_createdOn":"then"}')
  assert.equal(splice('{ "a":1 }', system), '{"_id":"id1", "a":1 ,"_createdOn":"then"}')
  assert.equal(
    splice('{"a":1}', { ...system, updatedOn: 'now', collection: 'a"b' }),
    '{"_id":"id1","a":1,"_createdOn":"then","_updatedOn":"now","_collection":"a\\"b"}'
  )
  assert.equal(
    splice('{"a":1}', { ...system, collection: 'c', updatedOn: undefined }),
    '{"_id":"id1","a":1,"_createdOn":"then","_collection":"c"}'
  )
})

test('an array is its records with commas', () => {
  assert.equal(joinList([]), '[]')
  assert.equal(joinList(['{}', '{"a":1}']), '[{},{"a":1}]')
})
