import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDuration, parseExpiry } from './expiry.ts'

const NOW = Date.parse('2030-01-02T03:04:05.678Z')

test('a duration is a whole number and a unit', () => {
  assert.equal(parseDuration('0s'), 0)
  assert.equal(parseDuration('90s'), 90_000)
  assert.equal(parseDuration('15m'), 900_000)
  assert.equal(parseDuration('12h'), 43_200_000)
  assert.equal(parseDuration('30d'), 2_592_000_000)
  assert.equal(parseDuration('2w'), 1_209_600_000)
  for (const text of [
    '',
    '1',
    'd',
    '-1d',
    '1.5h',
    '1 d',
    '1y',
    '1D',
    '1d ',
    '36526d',
    '9999999999s'
  ]) {
    assert.equal(parseDuration(text), undefined, text)
  }
})

function check(text: string, expected: string | undefined) {
  const time = parseExpiry(text, NOW)
  assert.equal(time === undefined ? undefined : new Date(time).toISOString(), expected, text)
}

test('a token expires after a duration or at a date', () => {
  check('12h', '2030-01-02T15:04:05.678Z')
  check('30d', '2030-02-01T03:04:05.678Z')
  check('2030-01-03', '2030-01-03T00:00:00.000Z')
  check('2030-01-02T03:05Z', '2030-01-02T03:05:00.000Z')
  check('2030-01-02T06:00:00+02:00', '2030-01-02T04:00:00.000Z')
  check('2032-02-29', '2032-02-29T00:00:00.000Z')
})

test('a time that is past, far away or no time is not an expiry', () => {
  const wrong = ['0s', '2030-01-02', '2001-01-01', '2030-01-02T03:04:05.678Z', '2131-01-01']
  const none = [
    '',
    'soon',
    '2030',
    '2031-02-30',
    '2031-13-01',
    '2031-02-01T25:00Z',
    '2031-02-01T10:00'
  ]
  for (const text of [...wrong, ...none]) check(text, undefined)
})
