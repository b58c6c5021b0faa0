import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInteger, toExact, writeJson, writePlain } from './exact-integers.ts'
import { parseValue } from './parse.ts'
import { writeDocument } from './write.ts'

const LONG = '9'.repeat(400)

/** Neighbours are rounded to the same number; the last ones are exact or no numbers at all. */
const INTEGERS = [
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '9223372036854775807',
  '9223372036854775806',
  '-9223372036854775808',
  '1234567890123456789',
  '1234567890123456790',
  '-1234567890123456790',
  '18446744073709551616'
]

test('integers of any size keep their digits, in JSON and in YAML', async () => {
  const json = `{"all":[${INTEGERS}],"again":[${INTEGERS.toReversed()}]}`
  const fromJson = await parseValue(json, 'a.json')
  assert.equal(writeJson(fromJson), json)
  const yaml = `all:\n${INTEGERS.map((each) => `  - ${each}\n`).join('')}`
  const fromYaml = await parseValue(yaml, 'a.yaml')
  assert.equal(writeJson(fromYaml), `{"all":[${INTEGERS}]}`)
  assert.equal(await writeDocument(fromYaml, 'yaml'), yaml)
})

test('each of them has its own number', () => {
  const numbers = INTEGERS.map(readInteger)
  assert.equal(new Set(numbers).size, INTEGERS.length)
  assert.deepEqual(INTEGERS.map(readInteger), numbers)
  assert.deepEqual(numbers.map(writePlain), INTEGERS)
  assert.equal(toExact('', numbers[4]), 9223372036854775807n)
})

test('other numbers and all strings are unchanged', async () => {
  const json =
    '{"1234567890123456789":"1234567890123456789","a":"\\\\\\"1234567890123456789 \\"","b":"\\\\","c":0.12345678901234568,"d":1.5e+300,"e":[1,-1234567890123456789]}'
  assert.equal(writeJson(await parseValue(json, 'a.json')), json)
  const yaml =
    "a: '1234567890123456789'\nb: order 1234567890123456789\nc: 0x10\nd: 1.5\n1234567890123456789: &x [1]\ne: *x\n"
  const value = await parseValue(yaml, 'a.yaml')
  const rest = '"b":"order 1234567890123456789","c":16,"d":1.5'
  assert.equal(
    writeJson(value),
    `{"a":"1234567890123456789",${rest},"1234567890123456789":[1],"e":[1]}`
  )
})

test('consecutive integers keep their digits', async () => {
  const ids = Array.from({ length: 100 }, (_, index) => 5n * 10n ** 18n + BigInt(index))
  assert.equal(writeJson(await parseValue(`[${ids}]`, 'a.json')), `[${ids}]`)
})

test('an integer that is larger than every number is no reason to fail', async () => {
  assert.equal(writeJson(await parseValue(`[${LONG}]`, 'a.json')), '[null]')
})

test('text that ends inside a string is not JSON', async () => {
  await assert.rejects(parseValue('{"a":1234567890123456789,"b', 'a.json'), /cannot be read/)
})
