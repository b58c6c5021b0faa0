import { webUrl } from '../records/web-url.ts'
import type { BoardRow, FieldRow, ItemRow, OptionRow } from '../store/rows.ts'

export type FieldValue = string | number | boolean | null

/** Digits that a number of JSON keeps whatever its size. */
const EXACT_DIGITS = 15

/** The custom fields of a board, in their order. */
export interface BoardFields {
  readonly fields: readonly FieldRow[]
  /** By id. */
  readonly options: ReadonlyMap<string, OptionRow>
}

/** All fields of the board by name: null, or false for a checkbox, if the card has no value. */
export function fieldValues(
  { fields, options }: BoardFields,
  items: readonly ItemRow[]
): Record<string, FieldValue> {
  const byField = new Map(items.map((item) => [item.field, item]))
  const values = new Map<string, FieldValue>()
  for (const field of fields) {
    // Of fields with the same name the first counts.
    if (values.has(field.name)) continue
    values.set(field.name, fieldValue(field, byField.get(field.id), options))
  }
  return Object.fromEntries(values)
}

function fieldValue(
  { type }: FieldRow,
  item: ItemRow | undefined,
  options: BoardFields['options']
): FieldValue {
  if (type === 'list') return options.get(item?.option ?? '')?.text ?? null
  const value = storedValue(item)
  if (type === 'checkbox') return value.checked === 'true'
  if (type === 'number') return value.number === undefined ? null : numberOf(value.number)
  return value[type] ?? null
}

/** The value of an item that is no option. */
export interface StoredValue {
  text?: string
  number?: string
  date?: string
  checked?: string
}

export function storedValue(item: ItemRow | undefined): StoredValue {
  return item?.value == null ? {} : JSON.parse(item.value)
}

/** A number that JSON would change stays text. */
function numberOf(text: string): number | string {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) return text
  if (Number.isInteger(number)) return Number.isSafeInteger(number) ? number : text
  return text.replace(/[^\d]/g, '').length > EXACT_DIGITS ? text : number
}

type Mapping = Pick<BoardRow, 'completed_field' | 'url_field' | 'time_zone'>

/** The day in the time zone of the board, `2024-05-01`. */
export function completedDay(board: Mapping, items: readonly ItemRow[]): string | null {
  const item = items.find(({ field }) => field === board.completed_field)
  const moment = Date.parse(storedValue(item).date ?? '')
  return Number.isNaN(moment) ? null : dayIn(board.time_zone, moment)
}

/** Formatters take 50 µs to create and 10 µs for a date. */
const formatters = new Map<string, Intl.DateTimeFormat>()
const MAX_FORMATTERS = 100

function dayIn(timeZone: string, moment: number): string {
  if (timeZone === 'UTC') return new Date(moment).toISOString().slice(0, 10)
  const formatter = formatters.get(timeZone) ?? createFormatter(timeZone)
  if (formatters.size >= MAX_FORMATTERS) formatters.clear()
  formatters.set(timeZone, formatter)
  const parts = new Map(formatter.formatToParts(moment).map(({ type, value }) => [type, value]))
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`
}

function createFormatter(timeZone: string): Intl.DateTimeFormat {
  const digits = '2-digit'
  return new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: digits, day: digits })
}

/** Whether days can be computed for it, such as `Europe/Berlin`. */
export function isTimeZone(text: string): boolean {
  try {
    createFormatter(text)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Only of the web: sites link to it. */
export function cardUrl(board: Mapping, items: readonly ItemRow[]): string | null {
  const item = items.find(({ field }) => field === board.url_field)
  return webUrl(storedValue(item).text ?? '') ?? null
}
