import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTime } from './parse-time.ts'

const TIMES: Readonly<Record<string, string | undefined>> = {
  '2020-12-22T01:59:00.5Z': '2020-12-22T01:59:00.500Z',
  '2020-12-22 01:59:00 UTC': '2020-12-22T01:59:00.000Z',
  '2020-12-22 01:59:00 +0200': '2020-12-21T23:59:00.000Z',
  '2020-12-22T01:59-03:30': '2020-12-22T05:29:00.000Z',
  '2020-12-22': '2020-12-22T00:00:00.000Z',
  'Tue, 22 Dec 2020 01:59:00 GMT': '2020-12-22T01:59:00.000Z',
  'Tue Dec 22 2020 01:59:00 GMT+0100 (Central European Standard Time)': '2020-12-22T00:59:00.000Z',
  '1608602340000': '2020-12-22T01:59:00.000Z',
  '0001-01-01': '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59Z': '9999-12-31T23:59:00.000Z',
  '9999-12-31T23:59-00:01': undefined,
  '0000-01-01T00:00+00:01': undefined,
  '2020-02-30': undefined,
  '2020-12-22 25:00:00': undefined,
  '2020-12-22 tomorrow': undefined,
  'Foo 31 2020': undefined,
  'card 1': undefined,
  '': undefined
}

test('times in the forms that clients send', () => {
  for (const [text, expected] of Object.entries(TIMES)) {
    const time = parseTime(text)
    assert.equal(time === undefined ? undefined : new Date(time).toISOString(), expected, text)
  }
})
