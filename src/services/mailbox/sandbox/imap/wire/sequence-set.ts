/** Numbers of messages or UIDs; `*` is the largest number in use. */
export interface SequenceSet {
  /** Sorted ranges without overlaps; `Infinity` stands for `*`. */
  readonly ranges: readonly Range[]
}

type Range = readonly [first: number, last: number]

const MAX_NUMBER = 0xffff_ffff
const PATTERN = /^(?:\d+|\*)(?::(?:\d+|\*))?(?:,(?:\d+|\*)(?::(?:\d+|\*))?)*$/

/** Undefined if the text is not a sequence set. */
export function parseSequenceSet(text: string): SequenceSet | undefined {
  if (!PATTERN.test(text)) return undefined
  const ranges: Range[] = []
  for (const part of text.split(',')) {
    const [first = 0, last = first] = part.split(':').map(numberOf)
    if (Number.isNaN(first) || Number.isNaN(last)) return undefined
    ranges.push(first <= last ? [first, last] : [last, first])
  }
  return { ranges: merge(ranges) }
}

function numberOf(text: string): number {
  if (text === '*') return Number.POSITIVE_INFINITY
  const value = Number(text)
  return value >= 1 && value <= MAX_NUMBER ? value : Number.NaN
}

function merge(ranges: Range[]): Range[] {
  ranges.sort((left, right) => left[0] - right[0])
  const merged: [number, number][] = []
  for (const [first, last] of ranges) {
    const before = merged.at(-1)
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else merged.push([first, last])
  }
  return merged
}

/** Which of these numbers, in ascending order, the set has; `*` is the last of them. */
export function selectNumbers(set: SequenceSet, numbers: readonly number[]): number[] {
  const largest = numbers.at(-1)
  if (largest === undefined) return []
  const ranges = resolveStar(set, largest)
  const selected: number[] = []
  let at = 0
  for (const number of numbers) {
    while (at < ranges.length && (ranges[at]?.[1] ?? 0) < number) at++
    const range = ranges[at]
    if (range === undefined) break
    if (range[0] <= number) selected.push(number)
  }
  return selected
}

function resolveStar({ ranges }: SequenceSet, largest: number): Range[] {
  const known = ranges.map(([first, last]): Range => {
    const low = Math.min(first, largest)
    // `9:*` with 7 as the largest number means `7:9`.
    if (last === Number.POSITIVE_INFINITY) return first > largest ? [low, first] : [first, largest]
    return [first, last]
  })
  return merge(known)
}

/** Whether all numbers of the set are those of messages, as Dovecot checks it. */
export function isWithin({ ranges }: SequenceSet, count: number): boolean {
  const last = ranges.at(-1)
  if (last === undefined || count === 0) return false
  const [low, high] = last
  if (high !== Number.POSITIVE_INFINITY) return high <= count
  return low <= count || low === Number.POSITIVE_INFINITY
}

/** The shortest text for these numbers, in any order. */
export function formatNumbers(numbers: readonly number[]): string {
  const ranges = merge(numbers.map((number): Range => [number, number]))
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}:${last}`)).join(',')
}

/** Like `formatNumbers`, in the order of the numbers, as COPYUID needs it. */
export function formatOrdered(numbers: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const number of numbers) {
    const before = ranges.at(-1)
    if (before !== undefined && number === before[1] + 1) before[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}:${last}`)).join(',')
}
