import { createRequire } from 'node:module'
import type { Format } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'

const require = createRequire(import.meta.url)

type Check = (value: string) => boolean

const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)[Tt\s](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|[+-](\d\d)(?::?(\d\d))?)$/
const MAX_INT64 = 2 ** 63

/** Less strict than RFC 3339: a space is also a separator, and `+0200` is also a zone. */
export function isDateTime(value: string): boolean {
  const match = DATE_TIME.exec(value)
  if (match === null) return false
  const [, date = '', hour, minute, second, zoneHour = '0', zoneMinute = '0'] = match
  const leap = Number(second) === 60 && Number(minute) === 59
  return (
    isDate(date) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    (Number(second) < 60 || leap) &&
    Number(zoneHour) < 24 &&
    Number(zoneMinute) < 60
  )
}

const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const DASH = 45
const ZERO = 48
const NINE = 57

/** `full-date` of RFC 3339. Without an expression or object, because bodies contain many dates. */
export function isDate(value: string): boolean {
  if (value.length !== 10) return false
  let digits = 0
  for (let index = 0; index < 10; index++) {
    const code = value.charCodeAt(index)
    if (index === 4 || index === 7) {
      if (code !== DASH) return false
    } else {
      if (code < ZERO || code > NINE) return false
      digits = digits * 10 + code - ZERO
    }
  }
  const day = digits % 100
  const month = Math.floor(digits / 100) % 100
  const year = Math.floor(digits / 10_000)
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && isLeap ? 29 : DAYS_OF_MONTHS[month - 1]
  return days !== undefined && day >= 1 && day <= days
}

function isBase64(value: string): boolean {
  return value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value)
}

/** All supported formats. The table is in a module that does not load Ajv. */
function knownFormats(): Readonly<Record<string, Format>> {
  const table: typeof import('ajv-formats/dist/formats.js') = require('ajv-formats/dist/formats.js')
  return {
    ...table.fullFormats,
    date: isDate,
    'date-time': isDateTime,
    byte: isBase64,
    binary: true,
    int64: {
      type: 'number',
      validate: (value: number) =>
        Number.isInteger(value) && value >= -MAX_INT64 && value <= MAX_INT64
    }
  }
}

/** An unknown format is not a constraint. */
export function addFormats(ajv: Ajv2020): void {
  for (const [name, format] of Object.entries(knownFormats())) ajv.addFormat(name, format)
}

/** Whether a value has a format; unknown formats accept every value. */
export function createFormatCheck(): (format: string, value: unknown) => boolean {
  const formats = knownFormats()
  return function hasFormat(format, value) {
    const known = Object.hasOwn(formats, format) ? formats[format] : undefined
    if (known === undefined || typeof known === 'boolean' || typeof known === 'string') return true
    if (known instanceof RegExp) return typeof value !== 'string' || matches(known, value)
    if (typeof known === 'function') return typeof value !== 'string' || (known as Check)(value)
    if ((known.type ?? 'string') !== typeof value) return true
    const { validate } = known
    if (typeof validate === 'function') return (validate as (value: unknown) => boolean)(value)
    return validate instanceof RegExp ? matches(validate, value as string) : true
  }
}

function matches(expression: RegExp, value: string): boolean {
  expression.lastIndex = 0
  return expression.test(value)
}
