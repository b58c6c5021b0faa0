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

test('a date is a day of the calendar', () => {
  for (const year of [0, 4, 1900, 1999, 2000, 2023, 2024, 2100, 9999]) {
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const [y, m, d] = [String(year).padStart(4, '0'), two(month), two(day)]
        const date = new Date(`${y}-${m}-${d}T00:00:00Z`)
        const isDay =
          !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${y}-${m}-${d}`)
        assert.equal(hasFormat('date', `${y}-${m}-${d}`), isDay, `${y}-${m}-${d}`)
      }
    }
  }
  check(
    'date',
    ['2020-02-29', 5],
    [
      ...['', '2020-2-29', '2020-02-29 ', ' 2020-02-29', '20200229', '2020-02-2x', '+020-02-20'],
      ...['２０２０-02-20', '2020/02/20', '-001-01-01', '2020-02-29T', '2020-0 -01', '2020-02- 1']
    ]
  )
})

function two(value: number): string {
  return String(value).padStart(2, '0')
}

test('number formats apply to numbers only', () => {
  check('int32', [0, -(2 ** 31), 2 ** 31 - 1, 'text'], [2 ** 31, 1.5])
  check('int64', [2 ** 53, -(2 ** 63), 'text'], [1.5, 2 ** 64])
  check('float', [1.5, 1e300], [])
  check('double', [1.5], [])
})

test('bytes are base64, binary is anything, and an unknown format is not a constraint', () => {
  check('byte', ['', 'YQ==', 'YWI='], ['YQ', 'Y-Q=', 'a b='])
  check('binary', ['\u0000', 'anything'], [])
  check('phone', ['x'], [])
  check('constructor', ['x'], [])
})
