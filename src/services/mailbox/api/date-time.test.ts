import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDateTime } from './date-time.ts'

test('a time or a day alone is one that can be calculated with', () => {
  const valid = [
    '2026-02-28T23:59:59Z',
    '2026-02-28T23:59:59.123456Z',
    '2026-02-28T23:59:59+05:30',
    '2026-02-28T23:59:59-0800',
    '2026-02-28 23:59:59Z',
    '2026-02-28',
    '2024-02-29'
  ]
  for (const text of valid) {
    assert.equal(isDateTime(text), true, text)
    assert.ok(Number.isFinite(Date.parse(text)), text)
  }
})

test('a text that is no time, or a time that JavaScript does not know, is rejected', () => {
  const invalid = [
    '',
    'tomorrow',
    '0',
    '2026',
    '2026-02',
    '2026-02-29',
    '2026-02-30T10:00:00Z',
    '2026-13-01',
    '2026-00-10',
    '2026-02-28T24:00:01Z',
    '2026-02-28T25:00:00Z',
    '2026-02-28T10:60:00Z',
    // Leap seconds.
    '2016-12-31T23:59:60Z',
    '2017-01-01T05:29:60+05:30',
    // Without a time zone it would be another time on each machine.
    '2026-02-28T10:00:00',
    '2026-02-28\n10:00:00Z',
    '+002026-02-28T10:00:00Z',
    '2026-02-28T10:00:00Z\n'
  ]
  for (const text of invalid) assert.equal(isDateTime(text), false, text)
})
