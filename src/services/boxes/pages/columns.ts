import { cutText } from '../../../kernel/cut-text.ts'
import { endOfString, type MemberSpan, membersOf } from '../text/spans.ts'

/** Columns of the table, besides the creation time. */
const MAX_COLUMNS = 4
/** Keys that are looked at in each record. */
const MAX_KEYS = 100
const MAX_NAME = 40
const MAX_TEXT = 80
/** Characters of narrow columns. */
const SHORT = 6
const MIDDLE = 11

export interface TableColumns {
  readonly names: readonly string[]
  /** Number of other keys of the records. */
  readonly others: number
}

/** A value of a cell, as it is written in the record. */
export interface Cell {
  readonly kind: 'text' | 'value' | 'json' | 'none'
  readonly text: string
}

/** The last value of each key, in the order of the text. */
export type Members = ReadonlyMap<string, string>

/** The members of a record; it is valid JSON. */
export function readMembers(raw: string): Members {
  const spans: MemberSpan[] = membersOf(raw, raw.indexOf('{')).slice(0, MAX_KEYS)
  return new Map(spans.map(({ name, valueStart, end }) => [name, raw.slice(valueStart, end)]))
}

/** The keys that most records have; equal ones in the order of their first record. */
export function chooseColumns(records: readonly Members[]): TableColumns {
  const counts = new Map<string, number>()
  for (const members of records) {
    for (const name of members.keys()) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const common = [...counts].sort(([, one], [, other]) => other - one).slice(0, MAX_COLUMNS)
  const chosen = new Set(common.map(([name]) => name))
  // Columns have the order of the records, however common they are.
  const names = [...counts.keys()].filter((name) => chosen.has(name))
  return { names, others: counts.size - names.length }
}

/** Class of a column whose values are all short; the others share the rest of the width. */
export function widthOf(name: string, cells: readonly Cell[]): 'w1' | 'w2' | '' {
  const longest = Math.max(name.length, ...cells.map(({ text }) => text.length))
  if (longest <= SHORT) return 'w1'
  return longest <= MIDDLE ? 'w2' : ''
}

export function nameOf(key: string): string {
  return key === '' ? '""' : shorten(key, MAX_NAME)
}

/** Strings without quotes; numbers with all the digits that were sent. */
export function cellOf(value: string | undefined): Cell {
  if (value === undefined) return { kind: 'none', text: '' }
  const first = value.charAt(0)
  if (first === '"') return textCell(value)
  const isNested = first === '{' || first === '['
  return { kind: isNested ? 'json' : 'value', text: shorten(oneLine(value), MAX_TEXT) }
}

function textCell(value: string): Cell {
  const end = endOfString(value, 0)
  const text: string = JSON.parse(value.slice(0, end))
  if (text.trim() === '') return { kind: 'value', text: shorten(value, MAX_TEXT) }
  return { kind: 'text', text: shorten(oneLine(text), MAX_TEXT) }
}

function oneLine(text: string): string {
  return text.slice(0, MAX_TEXT * 10).replace(/\s+/g, ' ')
}

export function shorten(text: string, most: number): string {
  return text.length > most ? `${cutText(text, most - 1)}…` : text
}
