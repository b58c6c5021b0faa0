import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSchemas } from './schemas.ts'

const { hasFormat } = createSchemas({})

function check(format: string, good: unknown[], bad: unknown[]): void {
  for (const value of good) assert.ok(hasFormat(format, value), `${format} ${value}`)
  for (const value of bad) assert.ok(!hasFormat(format, value), `${format} ${value}`)
}

test('a date-time has T, t or a space in the middle and a zone at the end', () => {
  check(
    'date-time',
    [
      ...['2020-02-29T23:59:60Z', '2020-01-02t03:04:05z', '2020-01-02 03:04:05+02:00'],
      ...['2020-01-02T03:04:05.123456-0330', '2020-01-02T03:04:05+02', 5]
    ],
    [
      ...['2020-01-02T03:04:05', '2020-01-02', '2021-02-29T00:00:00Z', '2020-01-02T24:00:00Z'],
      ...['2020-01-02X03:04:05Z', '2020-13-02T03:04:05Z', '2020-01-02T03:04:05+25:00', '']
    ]
  )
})

test('number formats look at numbers only', () => {
  check('int32', [0, -(2 ** 31), 2 ** 31 - 1, 'text'], [2 ** 31, 1.5])
  check('int64', [2 ** 53, -(2 ** 63), 'text'], [1.5, 2 ** 64])
  check('float', [1.5, 1e300], [])
  check('double', [1.5], [])
})

test('bytes are base64, binary is anything, and an unknown format is no constraint', () => {
  check('byte', ['', 'YQ==', 'YWI='], ['YQ', 'Y-Q=', 'a b='])
  check('binary', ['\u0000', 'anything'], [])
  check('phone', ['x'], [])
  check('constructor', ['x'], [])
})
