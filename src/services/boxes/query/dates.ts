import type { Comparison, Filter, SystemDate } from './filter.ts'

/** A period from (inclusive) to (exclusive), in ms. */
interface Span {
  readonly from: number
  readonly to: number
}

const ISO =
  /^(\d{4}(?:-\d\d(?:-\d\d(?:T\d\d(?::\d\d(?::\d\d)?)?)?)?)?)(?:(?<=T.*:\d\d:\d\d)\.(\d{1,9}))?((?<=T.*)(?:Z|[+-]\d\d:\d\d))?$/i
const MS_DIGITS = 3
const HOUR_MINUTES = 60
const MINUTE_MS = 60_000

/**
 * An ISO date, cut after any of its parts, is the whole period that it names: `=2020` is any time
 * in 2020, `>2020` is later than all of them. Undefined if the string is not a date.
 */
export function dateFilter(
  field: SystemDate,
  op: Comparison | 'eq',
  text: string
): Filter | undefined {
  const span = parseSpan(text)
  if (span === undefined) return undefined
  const { from, to } = span
  if (op === 'gt') return { kind: 'date', field, from: to, to: Number.POSITIVE_INFINITY }
  if (op === 'gte') return { kind: 'date', field, from, to: Number.POSITIVE_INFINITY }
  if (op === 'lt') return { kind: 'date', field, from: Number.NEGATIVE_INFINITY, to: from }
  if (op === 'lte') return { kind: 'date', field, from: Number.NEGATIVE_INFINITY, to }
  return { kind: 'date', field, from, to }
}

function parseSpan(text: string): Span | undefined {
  const match = ISO.exec(text)
  if (match === null) return undefined
  const [, day = '', fraction, zone] = match
  const parts = day.split(/[-T:]/i).map(Number)
  const start = utcOf(parts)
  // 30 February and 24:00 result in another time than was written.
  if (!new Date(start).toISOString().startsWith(day.toUpperCase())) return undefined
  const offset = parseZone(zone)
  if (offset === undefined) return undefined
  const from = start - offset + parseFraction(fraction)
  const length = fraction === undefined ? utcOf(nextOf(parts)) - start : fractionLength(fraction)
  return { from, to: from + length }
}

function utcOf([year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0]: number[]): number {
  // `Date.UTC` reads the years 0 to 99 as 1900 to 1999.
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.setUTCHours(hour, minute, second)
}

function nextOf(parts: number[]): number[] {
  return parts.map((part, index) => (index === parts.length - 1 ? part + 1 : part))
}

function parseZone(zone: string | undefined): number | undefined {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number)
  if (hours > 23 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * HOUR_MINUTES + minutes) * MINUTE_MS
}

function parseFraction(fraction = ''): number {
  return Number(fraction.slice(0, MS_DIGITS).padEnd(MS_DIGITS, '0'))
}

/** `.1` is 100 ms long; the minimum is 1 ms. */
function fractionLength(fraction: string): number {
  return 10 ** Math.max(0, MS_DIGITS - fraction.length)
}
