import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JSON_VECTORS } from '../../../../test/support/json-vectors.ts'
import { createRandom } from '../../../../test/support/random.ts'
import { readLine, writeLine } from './record-line.ts'

const RULES = { maxCollection: 64 }
const ID = '65f0c1d2a3b4c5d6e7f80910'
const CREATED = Date.parse('2026-01-02T03:04:05.678Z')

function checkRoundTrip(raw: string) {
  const record = { id: ID, raw, created: CREATED, updated: CREATED + 1, collection: 'a "b"' }
  const line = writeLine(record)
  assert.doesNotMatch(line, /[\r\n]/, raw)
  const { doc: _, ...read } = readLine(line, RULES)
  assert.deepEqual(read, record)
}

test('every test vector is written and read byte for byte', () => {
  for (const raw of Object.values(JSON_VECTORS)) checkRoundTrip(raw)
})

test('so are spaces and line breaks between any tokens', () => {
  const random = createRandom(11)
  const blanks = ['', '', ' ', '\n', '\r\n', '\t', '\r', '  \n ']
  const blank = () => blanks[random.below(blanks.length)] ?? ''
  const values = ['1', '"x"', '"_raw"', '{"a":\n1}', '[\n]', '{}', '{ }', '"\\n"', 'null']
  const keys = ['"a"', '"_raw"', '"_idx"', '""', '"\\u005fraw"']
  let broken = 0
  for (let n = 0; n < 3000; n++) {
    const members = Array.from({ length: random.below(4) }, () => {
      const key = keys[random.below(keys.length)]
      return `${blank()}${key}${blank()}:${blank()}${values[random.below(values.length)]}${blank()}`
    })
    const raw = `{${members.join(',')}${members.length === 0 ? blank() : ''}}`
    if (/[\r\n]/.test(raw)) broken++
    checkRoundTrip(raw)
  }
  assert.ok(broken > 1000 && broken < 2900, `${broken} of 3000 had line breaks`)
})

test('a line needs only an object', () => {
  assert.deepEqual(readLine(' {"a": 1.0} ', RULES), {
    raw: '{"a": 1.0}',
    doc: '{"a": 1.0}',
    id: undefined,
    created: undefined,
    updated: undefined,
    collection: undefined
  })
})

test('a field called _raw with another value is a field', () => {
  for (const raw of ['{"a":1,"_raw":"{\\n}"}', '{"_raw":"\\n"}', '{"a":1,"_raw":5}']) {
    assert.equal(readLine(raw, RULES).raw, raw)
  }
})

test('ids in upper case and dates with an offset are accepted', () => {
  const line = `{"_id":"${ID.toUpperCase()}","_createdOn":"2026-01-02T04:04:05.678+01:00"}`
  const { id, created } = readLine(line, RULES)
  assert.deepEqual([id, created], [ID, CREATED])
})

test('invalid lines are rejected', () => {
  const rejected: Readonly<Record<string, RegExp>> = {
    '[]': /one object/,
    '[{}]': /one object/,
    '5': /Only JSON objects/,
    '{"a":1,}': /Invalid JSON/,
    '{"_id":"1"}': /24 hexadecimal/,
    '{"_id":7}': /24 hexadecimal/,
    '{"_createdOn":"yesterday"}': /_createdOn is not a date/,
    '{"_createdOn":"2026-13-01T00:00:00Z"}': /_createdOn is not a date/,
    '{"_updatedOn":17}': /_updatedOn is not a date/,
    '{"_collection":""}': /Invalid collection/,
    '{"_collection":"a\\nb"}': /Invalid collection/,
    [`{"_collection":"${'x'.repeat(65)}"}`]: /more than 64/
  }
  for (const [line, reason] of Object.entries(rejected)) {
    assert.throws(() => readLine(line, RULES), reason, line)
  }
})
