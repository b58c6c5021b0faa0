import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLongPairs, parsePairs } from './query-string.ts'

const SLICE = 64
const ENDINGS = ['a', '+', '%20', '%C3%A4', '%E2%82%AC', '%F0%9F%98%80', '%f0%9f%98%80', '😀']
const INVALID = ['%', '%8', '%80', '%F0%9F', '%80%80%80%80%80%80%80']

test('a long value is decoded as a short one is, wherever a slice ends', async () => {
  for (const ending of [...ENDINGS, ...INVALID]) {
    for (let before = SLICE - 13; before <= SLICE + 1; before++) {
      const text = `x=1&long=${'b'.repeat(before)}${ending}${'%2C+c'.repeat(5)}&x=%2B`
      assert.deepEqual(await parseLongPairs(text, SLICE), parsePairs(text), `${before} ${ending}`)
    }
  }
})

test('a text of escapes only, and a long name', async () => {
  for (const unit of ['%2C', '%E2%82%AC', '%80', '%F0%9F%98%80']) {
    const escapes = unit.repeat(20 * SLICE)
    for (const text of [`a=${escapes}`, `${escapes}=a`, escapes]) {
      assert.deepEqual(await parseLongPairs(text, SLICE), parsePairs(text), unit)
    }
  }
})
