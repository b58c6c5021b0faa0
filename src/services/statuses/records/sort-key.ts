import type { SourceKind } from './record.ts'

const DIGITS = 19
/** 2010-11-04T01:42:54.657Z, the start of the ids of X that contain their time. */
const X_EPOCH_MS = 1288834974657n
/** Bits of an id after its time. */
const LOWER_BITS = { x: 22n, mastodon: 16n } as const
/** How far the time in an id may be from the time that the archive tells, in whole seconds. */
const TOLERANCE_MS = 2_000n
const PER_MS = 1_000_000n
const PER_SECOND = 1_000_000_000n

/**
 * 19 digits in the order of time across sources. If the id tells its millisecond, its lower bits
 * follow; otherwise posts of one second have the order of their ids.
 */
export function sortKeyOf(id: string, createdAt: string, source: SourceKind): string {
  const number = BigInt(id)
  const created = BigInt(Date.parse(createdAt))
  const bits = LOWER_BITS[source === 'mastodon' ? 'mastodon' : 'x']
  const time = (number >> bits) + (source === 'mastodon' ? 0n : X_EPOCH_MS)
  const distance = time > created ? time - created : created - time
  if (distance <= TOLERANCE_MS) {
    return pad(time * PER_MS + (BigInt.asUintN(Number(bits), number) % PER_MS))
  }
  return pad((created / 1000n) * PER_SECOND + (number % PER_SECOND))
}

/** ISO 8601, of an id that contains its time as those of X do. */
export function timeInId(id: string): string {
  return new Date(Number((BigInt(id) >> LOWER_BITS.x) + X_EPOCH_MS)).toISOString()
}

/** The next one, if a key is taken. */
export function keyAfter(sortKey: string): string {
  return pad(BigInt(sortKey) + 1n)
}

function pad(key: bigint): string {
  return String(key).padStart(DIGITS, '0')
}
