import type { FieldType, ItemRow } from '../store/rows.ts'
import { parseTime } from './parse-time.ts'
import { parseSentJson } from './sent-json.ts'

const MAX_TEXT = 16_384
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const MAX_NUMBER_LENGTH = 64

/** What a client sends for an item: `value` and `idValue`. */
export interface SentItem {
  value?: unknown
  idValue?: unknown
}

/** Columns of an item; undefined if the card has no value, as for an unchecked checkbox. */
export type ItemValue = Pick<ItemRow, 'value' | 'option'> | undefined

/** Options are not compared with those of the field. `'invalid'` if the value has another type. */
export function parseItem(type: FieldType, { value, idValue }: SentItem): ItemValue | 'invalid' {
  const sent = readObject(value)
  if (type === 'list') return parseOption(sent, idValue)
  if (idValue !== undefined && idValue !== null && idValue !== '') return 'invalid'
  if (isEmpty(sent)) return undefined
  if (typeof sent !== 'object' || sent === null) return 'invalid'
  const names = Object.keys(sent)
  const [name] = names
  if (names.length !== 1 || name !== MEMBERS[type]) return 'invalid'
  const content: unknown = Object.values(sent)[0]
  const text = contentOf(type, content)
  if (text === 'invalid' || text === undefined) return text
  return { value: JSON.stringify({ [name]: text.text }), option: null }
}

const MEMBERS: Readonly<Record<Exclude<FieldType, 'list'>, string>> = {
  text: 'text',
  number: 'number',
  date: 'date',
  checkbox: 'checked'
}

/** JSON in a string is what clients send that have strings only. */
function readObject(value: unknown): unknown {
  if (typeof value !== 'string' || !value.trim().startsWith('{')) return value
  return parseSentJson(value) ?? value
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function parseOption(value: unknown, idValue: unknown): ItemValue | 'invalid' {
  if (!isEmpty(value)) return 'invalid'
  if (isEmpty(idValue)) return undefined
  return typeof idValue === 'string' ? { value: null, option: idValue } : 'invalid'
}

/** An empty string removes the item. */
function contentOf(type: FieldType, content: unknown): { text: string } | undefined | 'invalid' {
  if (isEmpty(content)) return undefined
  if (typeof content === 'object') return 'invalid'
  const text = String(content)
  switch (type) {
    case 'checkbox':
      if (text === 'false') return undefined
      return text === 'true' ? { text } : 'invalid'
    case 'date': {
      const time = parseTime(text)
      return time === undefined ? 'invalid' : { text: new Date(time).toISOString() }
    }
    case 'number': {
      const number = text.trim()
      const isNumber = NUMBER.test(number) && number.length <= MAX_NUMBER_LENGTH
      return isNumber && Number.isFinite(Number(number)) ? { text: number } : 'invalid'
    }
    default:
      return text.length <= MAX_TEXT && !text.includes('\0') && text.isWellFormed()
        ? { text }
        : 'invalid'
  }
}
