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

const NO_QUERY: Query = { pairs: [], byName: new Map() }

/** Parses the string after the question mark; invalid encodings are unchanged. */
export function parseQuery(text: string): Query {
  if (text === '') return NO_QUERY
  const pairs = parsePairs(text)
  return { pairs, byName: groupPairs(pairs, (name) => name.toLowerCase()) }
}

export function parsePairs(text: string): Pair[] {
  const pairs: Pair[] = []
  for (const part of text.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = equals === -1 ? part : part.slice(0, equals)
    const raw = equals === -1 ? '' : part.slice(equals + 1)
    pairs.push({ name: decodeForm(name), value: decodeForm(raw), raw })
  }
  return pairs
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
