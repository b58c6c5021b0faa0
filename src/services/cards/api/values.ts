import { ValueInvalid } from '../contract.ts'
import type { Input } from '../http/input.ts'
import { isObjectId, isShortLink } from '../records/ids.ts'
import { parseTime } from '../records/parse-time.ts'

// Readers of parameters: undefined if it is not sent, and an error that names it if it is wrong.

/** Names and descriptions, as Trello limits them. */
export const MAX_TEXT = 16_384
const MAX_POSITION = 2 ** 53
/** Ids in one parameter. */
const MAX_IDS = 1000

type Sent = Pick<Input, 'values'>

/** Also of numbers and booleans; PostgreSQL stores no NUL. */
export function textValue(
  { values }: Sent,
  name: string,
  { max = MAX_TEXT }: { max?: number } = {}
): string | undefined {
  const value = values.get(name) ?? undefined
  if (value === undefined) return undefined
  if (typeof value === 'object') throw new ValueInvalid(name)
  const text = String(value)
  if (text.length > max || text.includes('\0') || !text.isWellFormed()) throw new ValueInvalid(name)
  return text
}

/** The same, but not empty. */
export function requiredText(input: Sent, name: string, options?: { max?: number }): string {
  const text = textValue(input, name, options)
  if (text === undefined || text.trim() === '') throw new ValueInvalid(name)
  return text
}

export function booleanValue({ values }: Sent, name: string): boolean | undefined {
  const value = values.get(name) ?? undefined
  if (value === undefined) return undefined
  const text = typeof value === 'object' ? undefined : String(value).toLowerCase()
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  throw new ValueInvalid(name)
}

/** ISO 8601 with milliseconds in UTC; null if the parameter clears the time. */
export function dateValue({ values }: Sent, name: string): string | null | undefined {
  const value = values.get(name)
  if (value === undefined) return undefined
  if (value === null || value === '' || value === 'null') return null
  const time = typeof value === 'object' ? undefined : parseTime(String(value))
  if (time === undefined) throw new ValueInvalid(name)
  return new Date(time).toISOString()
}

/** In lower case. With `links` also the short link of a board or card; null if it is cleared. */
export function idValue(
  { values }: Sent,
  name: string,
  { links = false }: { links?: boolean } = {}
): string | null | undefined {
  const value = values.get(name)
  if (value === undefined) return undefined
  if (value === null || value === '' || value === 'null') return null
  if (typeof value !== 'string') throw new ValueInvalid(name)
  if (isObjectId(value)) return value.toLowerCase()
  if (links && isShortLink(value)) return value
  throw new ValueInvalid(name)
}

export function requiredId(input: Sent, name: string, options?: { links?: boolean }): string {
  const id = idValue(input, name, options)
  if (typeof id !== 'string') throw new ValueInvalid(name)
  return id
}

/** A comma-separated list or an array, each id once; empty if it is cleared. */
export function idListValue({ values }: Sent, name: string): string[] | undefined {
  const value = values.get(name)
  if (value === undefined) return undefined
  if (value === null) return []
  const ids = namesOf(value)?.map((id) => id.toLowerCase())
  if (ids === undefined || ids.length > MAX_IDS || !ids.every(isObjectId)) {
    throw new ValueInvalid(name)
  }
  return [...new Set(ids)]
}

export type Position = 'top' | 'bottom' | number

export function posValue({ values }: Sent, name = 'pos'): Position | undefined {
  const value = values.get(name) ?? undefined
  if (value === undefined || value === 'top' || value === 'bottom') return value
  const number = numberOf(value)
  if (number === undefined || number <= 0 || number > MAX_POSITION) throw new ValueInvalid(name)
  return number
}

export function choiceValue<const Choice extends string>(
  { values }: Sent,
  name: string,
  choices: readonly Choice[]
): Choice | undefined {
  const value = values.get(name) ?? undefined
  if (value === undefined) return undefined
  const choice = choices.find((one) => one === value)
  if (choice === undefined) throw new ValueInvalid(name)
  return choice
}

/** A whole number. */
export function numberValue(
  { values }: Sent,
  name: string,
  { min, max }: { min: number; max: number }
): number | undefined {
  const value = values.get(name) ?? undefined
  if (value === undefined) return undefined
  const number = numberOf(value)
  if (number === undefined || !Number.isInteger(number) || number < min || number > max) {
    throw new ValueInvalid(name)
  }
  return number
}

/** Names of a comma-separated list or an array, without empty ones; undefined if it is neither. */
export function namesOf(value: unknown): string[] | undefined {
  const parts = Array.isArray(value) ? value : [value]
  if (!parts.every((part) => typeof part === 'string')) return undefined
  return parts
    .flatMap((part) => part.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/**
 * The members of an object that `fields` names, and always its id. `all` is the whole object;
 * undefined means `defaults`, or the whole object. Unknown names are ignored.
 */
export function selectFields(
  object: object,
  fields: unknown,
  defaults?: readonly string[]
): Record<string, unknown> {
  const names = fields === undefined || fields === null ? defaults : namesOf(fields)
  const whole: Record<string, unknown> = { ...object }
  if (names === undefined || names.includes('all')) return whole
  const wanted = new Set(['id', ...names])
  return Object.fromEntries(Object.entries(whole).filter(([name]) => wanted.has(name)))
}

const NUMBER = /^[+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:e[+-]?\d{1,2})?$/i

function numberOf(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !NUMBER.test(text.trim())) return undefined
  return Number(text)
}
