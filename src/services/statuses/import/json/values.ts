import { isObject, type JsonObject } from './read-items.ts'

/** Undefined if it is not a string or is empty. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? cleanText(value) : undefined
}

/** Without what a database or a page cannot hold: NUL and halves of surrogate pairs. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

/** Archives of X have numbers as strings. */
export function integerOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : undefined
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** The objects of an array; empty if it is not one. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

const MAX_ID = '9223372036854775807'

/** Undefined if it is not a decimal number of 63 bits. */
export function idOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^[1-9]\d{0,18}$/.test(value)) return undefined
  return value.length === MAX_ID.length && value > MAX_ID ? undefined : value
}

/** ISO 8601 in UTC with milliseconds; undefined if it is not a time of this or the next century. */
export function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const classic = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d\d) ([\d:]{8}) ([+-]\d{4}) (\d{4})$/.exec(
    value
  )
  const [, month, day, clock, zone, year] = classic ?? []
  if (classic === null && !/^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(value)) return undefined
  const time = Date.parse(classic === null ? value : `${day} ${month} ${year} ${clock} ${zone}`)
  const isPlausible = time >= Date.UTC(1990, 0, 1) && time < Date.UTC(2200, 0, 1)
  return isPlausible ? new Date(time).toISOString() : undefined
}

/** The longest that the service stores. */
const MAX_URL_LENGTH = 4000

/** Undefined if it is not an `http:` or `https:` URL. */
export function webUrlOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_URL_LENGTH) return undefined
  const url = URL.parse(cleanText(value))
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined
}
