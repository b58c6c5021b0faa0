import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTooLate, parsePublishTime } from './publish-time.ts'

test('a time of publication has a zone and is stored in UTC', () => {
  const rows: readonly [text: string, time: string | undefined][] = [
    ['2030-01-02T03:04:05Z', '2030-01-02T03:04:05.000Z'],
    ['2030-01-02T03:04:05.6789+02:00', '2030-01-02T01:04:05.678Z'],
    ['2030-01-02T03:04-00:30', '2030-01-02T03:34:00.000Z'],
    ['2030-01-02T03:04:05', undefined],
    ['2030-01-02', undefined],
    ['2030-02-30T00:00:00Z', undefined],
    ['2030-01-02T24:00:00Z', undefined],
    ['1890000000000', undefined],
    ['tomorrow', undefined],
    ['', undefined]
  ]
  for (const [text, time] of rows) assert.equal(parsePublishTime(text), time, text)
})

test('the limit is a day of the calendar', () => {
  const now = '2026-03-04T05:06:07.890Z'
  assert.equal(isTooLate('2036-03-04T05:06:07.890Z', now), false)
  assert.equal(isTooLate('2036-03-04T05:06:07.891Z', now), true)
})
