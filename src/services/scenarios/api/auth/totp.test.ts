import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRightCode, totpAt } from './totp.ts'

// Computed with another implementation of RFC 6238.
const KNOWN: readonly [string, string][] = [
  ['1970-01-01T00:00:00Z', '282760'],
  ['1970-01-01T00:00:30Z', '996554']
]

test('codes are those of any authenticator', () => {
  for (const [time, code] of KNOWN) assert.equal(totpAt(Date.parse(time)), code)
})

test('codes of one step before and after are accepted, others are not', () => {
  const time = Date.parse('2030-01-01T00:00:00Z')
  for (const shift of [-30_000, 0, 30_000]) assert.ok(isRightCode(totpAt(time + shift), time))
  for (const shift of [-90_000, 90_000]) assert.ok(!isRightCode(totpAt(time + shift), time))
  assert.ok(isRightCode('123456', time))
  assert.ok(!isRightCode('', time))
})
