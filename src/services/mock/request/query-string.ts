import { setImmediate } from 'node:timers/promises'
import { decodeSegment } from '../../../kernel/request-target.ts'
import { decodeForm } from './percent.ts'

export interface Pair {
  name: string
  value: string
  /** The value as sent, to distinguish delimiters from encoded characters. */
  raw: string
}

export interface Query {
  readonly pairs: readonly Pair[]
  /** By name in lower case, in the order sent. */
  readonly byName: ReadonlyMap<string, readonly Pair[]>
}

/** Shorter texts are decoded without a break. */
export const SLICE_LENGTH = 1024 * 1024
/** Length of the four escapes of a character. */
const LONGEST_CHARACTER = 12

const NO_QUERY: Query = { pairs: [], byName: new Map() }

/** Parses the string after the question mark; invalid encodings are unchanged. */
export function parseQuery(text: string): Query {
  if (text === '') return NO_QUERY
  const pairs = parsePairs(text)
  return { pairs, byName: groupPairs(pairs, (name) => name.toLowerCase()) }
}

export function parsePairs(text: string): Pair[] {
  return splitPairs(text).map(({ name, raw }) => {
    return { name: decodeForm(name), value: decodeForm(raw), raw }
  })
}

/** Yields between slices: decoding 10 MiB of escapes at once blocks the event loop for 45 ms. */
export async function parseLongPairs(text: string, sliceLength = SLICE_LENGTH): Promise<Pair[]> {
  const decode = (part: string) => decodeSlices(part, sliceLength)
  const pairs: Pair[] = []
  for (const { name, raw } of splitPairs(text)) {
    pairs.push({ name: await decode(name), value: await decode(raw), raw })
  }
  return pairs
}

function splitPairs(text: string): { name: string; raw: string }[] {
  const parts = text.split('&').filter((part) => part !== '')
  return parts.map((part) => {
    const equals = part.indexOf('=')
    if (equals === -1) return { name: part, raw: '' }
    return { name: part.slice(0, equals), raw: part.slice(equals + 1) }
  })
}

async function decodeSlices(text: string, sliceLength: number): Promise<string> {
  if (text.length <= sliceLength) return decodeForm(text)
  const spaced = text.replaceAll('+', ' ')
  let decoded = ''
  for (let start = 0; start < spaced.length; ) {
    if (start > 0) await setImmediate()
    const end = endOfSlice(spaced, start + sliceLength)
    const slice = decodeSegment(spaced.slice(start, end))
    if (slice === undefined) return spaced
    decoded += slice
    start = end
  }
  return decoded
}

/** Not inside an escape, nor between the escapes of one character if it is valid. */
function endOfSlice(text: string, wanted: number): number {
  for (let end = wanted; end < wanted + LONGEST_CHARACTER; end++) {
    const isInside = text[end - 1] === '%' || text[end - 2] === '%'
    if (!isInside && !/^%[89ab]/i.test(text.slice(end, end + 2))) return end
  }
  return wanted
}

export function groupPairs(
  pairs: readonly Pair[],
  keyOf: (name: string) => string
): Map<string, Pair[]> {
  const groups = new Map<string, Pair[]>()
  for (const pair of pairs) {
    const key = keyOf(pair.name)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [pair])
    else group.push(pair)
  }
  return groups
}
