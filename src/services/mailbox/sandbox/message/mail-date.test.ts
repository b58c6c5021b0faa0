import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMailDate } from './mail-date.ts'

const DATES: Readonly<Record<string, string | undefined>> = {
  'Mon, 1 Jan 2024 10:00:00 +0100': '2024-01-01T09:00:00.000Z',
  '1 Jan 2024 10:00 -0000': '2024-01-01T10:00:00.000Z',
  'Mon,  1 Jan 2024 10:00:00 -0530 (IST)': '2024-01-01T15:30:00.000Z',
  'Mon, 1 Jan 24 10:00:00 EST': '2024-01-01T15:00:00.000Z',
  'Fri, 31 Dec 99 23:59:60 GMT': '2000-01-01T00:00:00.000Z',
  'Mon, 1 (first) Jan 2024 (year) 10:00:00 GMT': '2024-01-01T10:00:00.000Z',
  '01-Jan-2024 10:00:00 +0000': '2024-01-01T10:00:00.000Z',
  '': undefined,
  now: undefined,
  'Mon, 1 Foo 2024 10:00:00 +0000': undefined,
  'Mon, 41 Jan 2024 10:00:00 +0000': undefined,
  'Mon, 1 Jan 2024 25:00:00 +0000': undefined
}

test('dates of header fields', () => {
  for (const [value, date] of Object.entries(DATES)) {
    const time = parseMailDate(value)?.time
    assert.equal(time === undefined ? undefined : new Date(time).toISOString(), date, value)
  }
  assert.equal(parseMailDate('1 Jan 2024 10:00 -0530')?.offsetMinutes, -330)
})
