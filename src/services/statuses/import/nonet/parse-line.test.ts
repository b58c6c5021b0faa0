import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFirstLine, createLineParser } from './parse-line.ts'
import { PostIds } from './post-ids.ts'

const POST = {
  id: '90',
  visibility: 'public',
  kind: 'post',
  text: 'Text',
  entities: [],
  createdAt: '2009-03-01T10:00:00.000Z',
  media: [],
  counts: { likes: null, reposts: null, replies: null, quotes: null },
  sensitive: false,
  source: 'local'
}
const parse = createLineParser()
const lineOf = (more: object) => JSON.stringify({ post: { ...POST, ...more } })

test('a line of a post is read as it is', () => {
  assert.deepEqual(parse(lineOf({})), { post: POST })
  assert.deepEqual(parse(lineOf({ raw: '{"a": 1.0}' })), { post: { ...POST, raw: '{"a": 1.0}' } })
})

test('what neither a page nor a database stores is replaced', () => {
  const line = parse(lineOf({ text: 'a\ud800b\0c' }))
  assert.deepEqual(line, { post: { ...POST, text: 'a\ufffdb\ufffdc' } })
  const pair = lineOf({}).replace('Text', '\\ud83d\\ude00')
  assert.deepEqual(parse(pair), { post: { ...POST, text: '😀' } })
})

test('lines that cannot be imported', () => {
  const wrong: [string, RegExp][] = [
    ['', /not valid JSON/],
    ['null', /not an object/],
    ['{}', /neither an account, a post nor the end/],
    ['{"__proto__":{}}', /neither an account/],
    ['{"post":{},"end":{}}', /neither an account/],
    [lineOf({ id: '9223372036854775808' }), /is not an id of a post/],
    [lineOf({ createdAt: '2009-02-31T99:00:00.000Z' }), /createdAt must match/],
    [lineOf({ createdAt: '2009-19-01T10:00:00.000Z' }), /is not a time/],
    [lineOf({ edits: ['text'] }), /edits\/0 must match/]
  ]
  for (const [text, message] of wrong) assert.throws(() => parse(text), message, text)
})

test('the first line tells the format and its version', () => {
  checkFirstLine('{"format":"nonet-statuses","version":1}')
  assert.throws(() => checkFirstLine('{"format":"x","version":1}'), /format is not nonet-statuses/)
  const next = '{"format":"nonet-statuses","version":"2"}'
  assert.throws(() => checkFirstLine(next), /version "2" of the format is not supported, only 1/)
})

test('ids that occur twice are found among thousands', () => {
  const ids = new PostIds()
  for (let number = 3_000; number > 0; number--)
    ids.add(String(9_223_372_036_854_775_807n - BigInt(number)))
  assert.equal(ids.findRepeated(), undefined)
  assert.equal(ids.count, 3_000)
  ids.add('9223372036854775000')
  assert.equal(ids.findRepeated(), '9223372036854775000')
})
