import { isObject, type Json } from '../../../kernel/json.ts'
import { foldCase, type Path, type Scalar } from './filter.ts'
import { RANKS, type SortKey, sortKeyOf } from './order.ts'

/**
 * Keys of declared indexes: bytes that both engines compare in the same way, in the sort order. A
 * tag for the type, then the eight bytes of a number with the sign inverted, or the UTF-8 of a
 * string up to a maximum length: the key of a longer string is cut and only narrows the search.
 */
export const TAGS = {
  /** The record has more values than an index holds, so that it is always a candidate. */
  overflow: 0x00,
  null: 0x10,
  number: 0x30,
  string: 0x40,
  object: 0x50,
  array: 0x58,
  false: 0x60,
  true: 0x61
} as const

/** A record has one `sort` entry; the others are for further values that a filter can match. */
export const FLAVOURS = { sort: 0, value: 1, folded: 2 } as const
export type Flavour = keyof typeof FLAVOURS

export interface Entry {
  readonly flavour: Flavour
  readonly key: Uint8Array
}

export const MAX_TEXT_BYTES = 200
/** Maximum number of values of one record in one index. */
const MAX_VALUES = 1000

const INDEX = /^(?:0|[1-9]\d*)$/
const NUMBER_BYTES = 9

export function textKey(text: string): Uint8Array {
  // One more UTF-16 unit, so that a surrogate pair at the end is not split.
  const bytes = Buffer.from(text.slice(0, MAX_TEXT_BYTES + 1)).subarray(0, MAX_TEXT_BYTES)
  return Buffer.concat([Buffer.of(TAGS.string), bytes])
}

/** Whether the key is cut, so that strings with this key may differ. */
export function isCut(key: Uint8Array): boolean {
  return key[0] === TAGS.string && key.length > MAX_TEXT_BYTES
}

export function numberKey(value: number): Uint8Array {
  const key = Buffer.alloc(NUMBER_BYTES)
  key[0] = TAGS.number
  // -0 and 0 are the same number.
  key.writeDoubleBE(value + 0, 1)
  if ((key[1] ?? 0) < 0x80) key[1] = (key[1] ?? 0) | 0x80
  else for (let at = 1; at < NUMBER_BYTES; at++) key[at] = 0xff ^ (key[at] ?? 0)
  return key
}

export function scalarKey(value: Scalar): Uint8Array {
  if (typeof value === 'string') return textKey(value)
  if (typeof value === 'number') return numberKey(value)
  if (value === null) return Buffer.of(TAGS.null)
  return Buffer.of(value ? TAGS.true : TAGS.false)
}

/** The key of a sort key. */
export function positionKey({ rank, value }: SortKey): Uint8Array {
  if (typeof value === 'string') return textKey(value)
  if (rank === RANKS.number) return numberKey(Number(value))
  if (rank === RANKS.boolean) return scalarKey(value === 1)
  if (rank === RANKS.object) return Buffer.of(TAGS.object)
  return Buffer.of(rank === RANKS.array ? TAGS.array : TAGS.null)
}

/** All entries of a record in the index of a path. */
export function entriesOf(doc: Json, path: Path): Entry[] {
  const own = positionKey(sortKeyOf(doc, path))
  const entries: Entry[] = [{ flavour: 'sort', key: own }]
  const values = valuesAt(doc, path)
  if (values === undefined) {
    const key = Buffer.of(TAGS.overflow)
    return [...entries, { flavour: 'value', key }, { flavour: 'folded', key }]
  }
  const seen = new Set<string>()
  function add(flavour: Flavour, key: Uint8Array): void {
    const name = `${flavour} ${Buffer.from(key).toString('latin1')}`
    if (seen.has(name)) return
    seen.add(name)
    entries.push({ flavour, key })
  }
  for (const value of values) {
    const key = scalarKey(value)
    if (Buffer.compare(key, own) !== 0) add('value', key)
    if (typeof value === 'string') add('folded', textKey(foldCase(value)))
  }
  return entries
}

/** Scalars that the evaluator tests at the end of a path; undefined if there are too many. */
function valuesAt(doc: Json, path: Path): Set<Scalar> | undefined {
  const values = new Set<Scalar>()
  function take(value: Json): void {
    if (typeof value !== 'object' || value === null) values.add(value)
  }
  function walk(value: Json, at: number): void {
    if (values.size > MAX_VALUES) return
    const name = path[at]
    if (name === undefined) {
      take(value)
      if (Array.isArray(value)) for (const element of value) take(element)
    } else if (Array.isArray(value)) {
      const indexed = INDEX.test(name) ? value[Number(name)] : undefined
      if (indexed !== undefined) walk(indexed, at + 1)
      for (const element of value) if (isObject(element)) walk(element, at)
    } else if (isObject(value) && Object.hasOwn(value, name)) walk(value[name] ?? null, at + 1)
  }
  walk(doc, 0)
  return values.size > MAX_VALUES ? undefined : values
}
