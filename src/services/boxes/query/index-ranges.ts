import type { Comparison, Filter, Path, Scalar, Test } from './filter.ts'
import { type Flavour, numberKey, scalarKey, TAGS, textKey } from './index-key.ts'

/** Entries from a key (inclusive) to another (exclusive). */
export interface KeyRange {
  readonly flavour: Flavour
  readonly from: Uint8Array
  readonly to: Uint8Array
}

/** Ranges of one index that contain every match of a filter. */
export interface IndexChoice<Index> {
  readonly index: Index
  readonly ranges: readonly KeyRange[]
}

/** Maximum number of values in one statement. */
const MAX_VALUES = 20

interface Declared {
  readonly path: Path
}

/** The conditions joined by `and` that have an index, each with its ranges. */
export function chooseIndexes<Index extends Declared>(
  filter: Filter,
  indexes: readonly Index[]
): IndexChoice<Index>[] {
  const choices = choicesOf(filter, indexes)
  // Joined ranges are first, because they never have more records than one condition.
  return choices.length < 2 ? choices : [...joinChoices(choices), ...choices]
}

/**
 * Joins conditions on one path: a record with one value has it in the intersection. With arrays on
 * the path, different elements may fulfil them, so for those the first condition is used.
 */
function joinChoices<Index>(choices: readonly IndexChoice<Index>[]): IndexChoice<Index>[] {
  const joined = new Map<Index, KeyRange[]>()
  for (const { index, ranges } of choices) {
    const [sort, ...others] = ranges
    if (sort?.flavour !== 'sort' || others.length !== 2) continue
    const known = joined.get(index)
    if (known?.[0] === undefined) joined.set(index, [sort, ...others])
    else known[0] = intersect(known[0], sort)
  }
  return [...joined].map(([index, ranges]) => ({ index, ranges }))
}

function intersect(one: KeyRange, other: KeyRange): KeyRange {
  const from = Buffer.compare(one.from, other.from) > 0 ? one.from : other.from
  const to = Buffer.compare(one.to, other.to) < 0 ? one.to : other.to
  return { flavour: 'sort', from, to }
}

function choicesOf<Index extends Declared>(
  filter: Filter,
  indexes: readonly Index[]
): IndexChoice<Index>[] {
  if (filter.kind === 'and') return filter.filters.flatMap((part) => choicesOf(part, indexes))
  if (filter.kind !== 'member') return []
  const { path, test } = filter
  const index = indexes.find((one) => isSamePath(one.path, path))
  const ranges = index && rangesOf(test)
  return index === undefined || ranges === undefined ? [] : [{ index, ranges }]
}

export function isSamePath(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at])
}

type Bounds = Omit<KeyRange, 'flavour'>

function rangesOf(test: Test): KeyRange[] | undefined {
  switch (test.op) {
    case 'in': {
      if (test.values.length > MAX_VALUES || !test.values.every(isScalar)) return undefined
      return test.values.filter(isScalar).flatMap((value) => exact(only(scalarKey(value))))
    }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return exact(compared(test.op, test.value))
    case 'equals':
      return test.folded ? folded(only(textKey(test.text))) : exact(only(textKey(test.text)))
    case 'startsWith': {
      const begins = { from: textKey(test.text), to: behindPrefix(textKey(test.text)) }
      return test.folded ? folded(begins) : exact(begins)
    }
    default:
      return undefined
  }
}

function isScalar(value: unknown): value is Scalar {
  return typeof value !== 'object' || value === null
}

/** The sort value, further values, and records with too many values. */
function exact(bounds: Bounds): KeyRange[] {
  const overflow = only(Buffer.of(TAGS.overflow))
  return [
    { flavour: 'sort', ...bounds },
    { flavour: 'value', ...bounds },
    { flavour: 'value', ...overflow }
  ]
}

function folded(bounds: Bounds): KeyRange[] {
  return [
    { flavour: 'folded', ...bounds },
    { flavour: 'folded', ...only(Buffer.of(TAGS.overflow)) }
  ]
}

function only(key: Uint8Array): Bounds {
  return { from: key, to: behind(key) }
}

/** The smallest key that is greater than this one. */
function behind(key: Uint8Array): Uint8Array {
  return Buffer.concat([key, Buffer.of(0)])
}

function behindPrefix(key: Uint8Array): Uint8Array {
  const next = Buffer.from(key)
  // UTF-8 has no byte 0xff, so the last byte can always be incremented.
  next[next.length - 1] = (next.at(-1) ?? 0) + 1
  return next
}

/** The range of `gt` and `lt` includes the value itself, which the evaluator excludes. */
function compared(op: Comparison, value: Scalar): Bounds {
  if (typeof value !== 'string' && typeof value !== 'number') {
    return value === null
      ? only(scalarKey(null))
      : { from: Buffer.of(TAGS.false), to: Buffer.of(TAGS.true + 1) }
  }
  const tag = typeof value === 'string' ? TAGS.string : TAGS.number
  const key = typeof value === 'string' ? textKey(value) : numberKey(value)
  return op === 'gt' || op === 'gte'
    ? { from: key, to: Buffer.of(tag + 1) }
    : { from: Buffer.of(tag), to: behind(key) }
}
