import { cutText } from '../../../../kernel/cut-text.ts'
import { isObjectId } from '../../records/ids.ts'
import { parseTime } from '../../records/parse-time.ts'
import { MAX_URL_LENGTH } from '../limits.ts'
import type { ParseContext } from './context.ts'

export type JsonObject = Readonly<Record<string, unknown>>

const FIRST_YEAR = 1000
const LAST_YEAR = 9999

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** Empty if it is no array. */
export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** In lower case; undefined if it is no id. */
export function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && isObjectId(value) ? value.toLowerCase() : undefined
}

/** What a text is called in the report. */
export interface TextRules {
  readonly what: string
  readonly max: number
  /** Of the object, for the report. */
  readonly id: string
}

/** Undefined if it is no string. */
export function textOf(
  value: unknown,
  { what, max, id }: TextRules,
  { adjusted }: Pick<ParseContext, 'adjusted'>
): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = storable(value)
  if (text !== value) adjusted.add(`${what} with characters that cannot be stored, replaced`, id)
  if (text.length > max) adjusted.add(`${what} longer than ${max} characters, cut`, id)
  return cutText(text, max)
}

/** Databases and pages cannot have NUL and halves of surrogate pairs. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

/** Undefined if it is no time of years with four digits. */
export function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 64) return undefined
  const time = parseTime(value)
  const year = time === undefined ? Number.NaN : new Date(time).getUTCFullYear()
  return time !== undefined && year >= FIRST_YEAR && year <= LAST_YEAR
    ? new Date(time).toISOString()
    : undefined
}

/** Undefined if it is no position. */
export function posOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/** Undefined if it is no whole number from 0 to 2³¹ − 1. */
export function countOf(value: unknown): number | undefined {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31
    ? (value as number)
    : undefined
}

export function choiceOf<T extends string>(value: unknown, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice === value)
}

/** Undefined if it is not an `http:` or `https:` URL. */
export function webUrlOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_URL_LENGTH) return undefined
  const url = URL.parse(value)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  return /^[!-~]+$/.test(value) ? value : url.href
}
