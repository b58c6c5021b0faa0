import { createRequire } from 'node:module'
import type { Format } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'

const require = createRequire(import.meta.url)

type Check = (value: string) => boolean

const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)[Tt\s](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|[+-](\d\d)(?::?(\d\d))?)$/
const MAX_INT64 = 2 ** 63

/** Stricter than nothing, laxer than RFC 3339: a space separates too, and `+0200` is a zone. */
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

function isDate(value: string): boolean {
  const time = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}

function isBase64(value: string): boolean {
  return value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value)
}

/** Every format we know. The table stands in a module that does without Ajv. */
function knownFormats(): Readonly<Record<string, Format>> {
  const table: typeof import('ajv-formats/dist/formats.js') = require('ajv-formats/dist/formats.js')
  return {
    ...table.fullFormats,
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

/** A name that nobody knows is no constraint. */
export function addFormats(ajv: Ajv2020): void {
  for (const [name, format] of Object.entries(knownFormats())) ajv.addFormat(name, format)
}

/** Tells whether a text has a format; formats that nobody knows are met by every text. */
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
