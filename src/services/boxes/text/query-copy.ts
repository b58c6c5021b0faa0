import type { Json, JsonObject } from '../../../kernel/json.ts'
import { pruneText } from './prune.ts'
import { readJson } from './read-json.ts'

/** Maximum number of levels in the query copy; the record itself is the first. */
export const MAX_COPY_DEPTH = 64

/** Shorter text is parsed without pruning, however deep it is. */
const SHALLOW_LENGTH = 8192

const REPLACEMENT = '\uFFFD'

/** What is known of a record (see `ScannedObject`). */
export interface RecordForm {
  readonly plain: boolean
  readonly depth: number
}

/** The JSON text for queries. A plain record is its own copy. */
export function queryCopy(raw: string, { plain, depth }: RecordForm): string {
  if (plain) return raw
  return JSON.stringify(depth < MAX_COPY_DEPTH ? toQueryValue(readJson(raw)) : parseQueryCopy(raw))
}

/** The query copy as a value. */
export function parseQueryCopy(raw: string): Json {
  return toQueryValue(readJson(raw.length > SHALLOW_LENGTH ? pruneText(raw) : raw))
}

/**
 * A value that both engines can store, find and order: finite doubles, no U+0000, no lone
 * surrogates, limited depth. Operands are converted in the same way, so that they still match.
 */
export function toQueryValue(value: Json, depth = 1): Json {
  if (typeof value === 'number') return clipNumber(value)
  if (typeof value === 'string') return cleanText(value)
  if (typeof value === 'boolean' || value === null) return value
  if (Array.isArray(value)) return depth > MAX_COPY_DEPTH ? [] : toQueryArray(value, depth)
  return depth > MAX_COPY_DEPTH ? {} : toQueryObject(value, depth)
}

/** Copied only if it changes: most values do not, and a copy would cost more than parsing. */
function toQueryArray(value: Json[], depth: number): Json {
  let copy: Json[] | undefined
  value.forEach((element, index) => {
    const changed = toQueryValue(element, depth + 1)
    if (changed === element) return
    copy ??= [...value]
    copy[index] = changed
  })
  return copy ?? value
}

function toQueryObject(value: JsonObject, depth: number): Json {
  let isSame = true
  const entries = Object.keys(value).map((name) => {
    const member = value[name] ?? null
    const entry = [cleanText(name), toQueryValue(member, depth + 1)] as const
    isSame &&= entry[0] === name && entry[1] === member
    return entry
  })
  // `fromEntries` makes an ordinary member of `__proto__`.
  return isSame ? value : Object.fromEntries(entries)
}

export function clipNumber(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value))
}

export function cleanText(text: string): string {
  return text.includes('\0') || !text.isWellFormed()
    ? text.toWellFormed().replaceAll('\0', REPLACEMENT)
    : text
}
