import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNumeric, isSpecialWord, leadingNumber, withoutUnit } from './words.ts'

test('four special words, spelled exactly', () => {
  for (const word of ['unknown', 'n/a', 'none', 'indefinite']) assert.ok(isSpecialWord(word))
  for (const word of ['Unknown', 'N/A', '', 'nothing']) assert.ok(!isSpecialWord(word))
})

test('numbers are digits with at most one point', () => {
  for (const text of ['0', '172', '88.5']) assert.ok(isNumeric(text), text)
  for (const text of ['', '1,358', '30-165', '.5', '5.', '1 m', '-1'])
    assert.ok(!isNumeric(text), text)
})

test('a number with a unit must have that unit', () => {
  assert.ok(isNumeric('172 cm', 'cm'))
  for (const text of ['172', '172cm', '172 kg', 'tall cm']) assert.ok(!isNumeric(text, 'cm'), text)
})

test('a unit is removed only if present', () => {
  assert.equal(withoutUnit('172 cm', 'cm'), '172')
  assert.equal(withoutUnit('unknown', 'cm'), 'unknown')
  assert.equal(withoutUnit('172cm', 'cm'), '172cm')
})

test('the number at the start of a string', () => {
  const rows: [string, number | undefined][] = [
    ['172 cm', 172],
    ['0.97 standard', 0.97],
    ['-3', -3],
    ['unknown', undefined],
    ['about 3', undefined]
  ]
  for (const [text, wanted] of rows) assert.equal(leadingNumber(text), wanted, text)
})
