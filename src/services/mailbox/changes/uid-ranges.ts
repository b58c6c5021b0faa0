import { createUidCollector, type UidCollector } from './uid-collector.ts'

/**
 * UIDs as sorted ranges without overlaps: the first and the last of each, one after the other. They
 * are never expanded: a server may send `1:4294967295`.
 */
export type UidRanges = Uint32Array

export const MAX_UID = 0xffff_ffff
/** Servers accept lines of at least 8000 bytes. */
const RANGES_PER_COMMAND = 300
export const ALL_UIDS: UidRanges = Uint32Array.of(1, MAX_UID)
export const NO_UIDS: UidRanges = new Uint32Array(0)

const SPACE = 0x20
const COMMA = 0x2c
const COLON = 0x3a
const ZERO = 0x30
const NINE = 0x39

/** In any order. */
export function rangesOf(uids: Iterable<number>): UidRanges {
  const collector = createUidCollector()
  for (const uid of uids) collector.add(uid, uid)
  return collector.ranges()
}

/**
 * Of `1:3,7` or `1 2 3 7`, in any order; undefined if these bytes are something else, or more than a
 * mailbox can have.
 */
export function parseUidRanges(bytes: Uint8Array, start = 0): UidRanges | undefined {
  const collector = createUidCollector()
  let first = 0
  let value = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte >= ZERO && byte <= NINE) {
      value = value * 10 + byte - ZERO
      if (value > MAX_UID || value === 0) return undefined
    } else if (byte === COLON && value > 0 && first === 0) {
      first = value
      value = 0
    } else if ((byte === COMMA || byte === SPACE) && value > 0) {
      addRange(collector, first, value)
      first = 0
      value = 0
    } else if (byte !== SPACE || first > 0) return undefined
  }
  if (value > 0) addRange(collector, first, value)
  else if (first > 0) return undefined
  return collector.isFull() ? undefined : collector.ranges()
}

/** Without a first UID it is the last one alone. */
function addRange({ add }: UidCollector, first: number, last: number): void {
  if (first === 0) add(last, last)
  else add(Math.min(first, last), Math.max(first, last))
}

/** Of all ranges together. */
export function countUids(ranges: UidRanges): number {
  let count = 0
  for (let at = 0; at < ranges.length; at += 2) {
    count += (ranges[at + 1] ?? 0) - (ranges[at] ?? 0) + 1
  }
  return count
}

export function addRanges({ add }: UidCollector, ranges: UidRanges): void {
  for (let at = 0; at < ranges.length; at += 2) add(ranges[at] ?? 0, ranges[at + 1] ?? 0)
}

/** As commands name them, several if they are too long for one. */
export function* setsOf(ranges: UidRanges): Generator<string> {
  for (let start = 0; start < ranges.length; start += 2 * RANGES_PER_COMMAND) {
    const end = Math.min(ranges.length, start + 2 * RANGES_PER_COMMAND)
    const names: string[] = []
    for (let at = start; at < end; at += 2) names.push(`${ranges[at]}:${ranges[at + 1]}`)
    yield names.join(',')
  }
}

/** All of them, so only of ranges whose number of UIDs is limited. */
export function* uidsOf(ranges: UidRanges): Generator<number> {
  for (let at = 0; at < ranges.length; at += 2) {
    const last = ranges[at + 1] ?? 0
    for (let uid = ranges[at] ?? 0; uid <= last; uid++) yield uid
  }
}

export function hasUid(ranges: UidRanges, uid: number): boolean {
  const at = findRange(ranges, uid)
  return at < ranges.length && (ranges[at] ?? 0) <= uid
}

/** Index of the first range that ends at this UID or later; the length if all end before it. */
export function findRange(ranges: UidRanges, uid: number): number {
  let low = 0
  let high = ranges.length / 2
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ranges[2 * middle + 1] ?? 0) < uid) low = middle + 1
    else high = middle
  }
  return 2 * low
}
