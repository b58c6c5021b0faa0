import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOfJsonServer } from './json-server.ts'
import { readLine } from './record-line.ts'

function recordsOf(file: string) {
  return [...linesOfJsonServer(file)].map((line) => readLine(line, { maxCollection: 64 }))
}

const FILE = `{
  "posts": [
    { "id": 1, "title": "a\\ntitle", "views": 100.0 },
    {
      "id": "x7",
      "tags": [
        "a"
      ]
    }
  ],
  "empty": [],
  "profile": { "name": "typicode" }
}
`

test('arrays become collections, a single object a collection of one record', () => {
  assert.deepEqual(
    recordsOf(FILE).map(({ collection, raw }) => [collection, raw]),
    [
      ['posts', '{"id": 1, "title": "a\\ntitle", "views": 100.0}'],
      ['posts', '{"id": "x7", "tags": [ "a" ]}'],
      ['profile', '{"name": "typicode"}']
    ]
  )
})

test('a record with an id has the same _id each time, one of its own in each collection', () => {
  const ids = (file: string) => recordsOf(file).map(({ id }) => id)
  const [first, second, profile] = ids(FILE)
  assert.match(first ?? '', /^0{8}[0-9a-f]{16}$/)
  assert.deepEqual(ids(FILE.replace('100.0', '7')), [first, second, profile])
  assert.equal(recordsOf('{"a":[{"x":1}]}')[0]?.id, undefined)
  assert.equal(new Set(ids('{"a":[{"id":1},{"id":1},{"id":2}],"b":[{"id":1}]}')).size, 4)
})

test('system fields in the file are ignored', () => {
  assert.deepEqual(
    recordsOf('{"a":[{"_id":5,"x":1,"_collection":"b"}]}').map(({ raw, collection }) => [
      raw,
      collection
    ]),
    [['{"x":1}', 'a']]
  )
})

test('a schema for the editor is no collection', () => {
  for (const schema of ['"./node_modules/json-server/schema.json"', '{"a":1}', '[{}]']) {
    assert.deepEqual(
      recordsOf(`{"$schema":${schema},"a":[{"x":1}]}`).map(({ raw, collection }) => [
        raw,
        collection
      ]),
      [['{"x":1}', 'a']]
    )
  }
})

test('the error names the member that is not a collection', () => {
  assert.throws(() => recordsOf('{"a":[],"b":5}'), /"b" is neither an array nor an object/)
  assert.throws(() => recordsOf('{"a":[{},5]}'), /In "a": Only JSON objects/)
  assert.throws(() => recordsOf('[]'), /must contain one object/)
  assert.throws(() => recordsOf('{"a":[{}]'), /Invalid JSON/)
})
