import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { BytesReader, BytesWriter } from './index-bytes.ts'
import type { FlagTable, MessageFlags } from './message-flags.ts'

/** Messages of a block: a change compresses this many again, and nothing else. */
export const BLOCK_MESSAGES = 4096
/** Flags of all messages of a block in addition to 10 bytes for each. */
const MAX_BLOCK_BYTES = 16 * 1024 * 1024

/** Messages in the order of their UIDs: at least one. */
export interface IndexBlock {
  first: number
  last: number
  count: number
  /** As it is stored; undefined after a change. */
  encoded: Uint8Array | undefined
  /** Undefined until it is read. */
  columns: BlockColumns | undefined
}

/** Only the first `count` elements are in use. */
export interface BlockColumns {
  uids: Uint32Array
  /** Numbers in the table of flags. */
  flags: Uint32Array
}

/** The index of the first UID that is not smaller. */
export function findUid({ uids }: BlockColumns, count: number, uid: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((uids[middle] ?? 0) < uid) low = middle + 1
    else high = middle
  }
  return low
}

export function createColumns(capacity: number): BlockColumns {
  return { uids: new Uint32Array(capacity), flags: new Uint32Array(capacity) }
}

/** A copy of some elements, with space for as many again. */
export function copyColumns(columns: BlockColumns, start: number, end: number): BlockColumns {
  const copy = createColumns(Math.min(BLOCK_MESSAGES, Math.max(16, 2 * (end - start))))
  copy.uids.set(columns.uids.subarray(start, end))
  copy.flags.set(columns.flags.subarray(start, end))
  return copy
}

/**
 * The combinations of flags, then the distances of the UIDs, then the numbers of the combinations:
 * compressed, a message takes less than a byte in most mailboxes.
 */
export function encodeBlock(
  block: IndexBlock,
  columns: BlockColumns,
  table: FlagTable
): Uint8Array {
  const { count } = block
  const local = new Map<number, number>()
  for (let at = 0; at < count; at++) {
    const number = columns.flags[at] ?? 0
    if (!local.has(number)) local.set(number, local.size)
  }
  const combinations = Buffer.from(JSON.stringify([...local.keys()].map(table.at)))
  const writer = new BytesWriter(combinations.length + 10 * count + 5)
  writer.number(combinations.length)
  writer.bytes(combinations)
  for (let at = 1; at < count; at++) {
    writer.number((columns.uids[at] ?? 0) - (columns.uids[at - 1] ?? 0))
  }
  for (let at = 0; at < count; at++) writer.number(local.get(columns.flags[at] ?? 0) ?? 0)
  return deflateRawSync(writer.written())
}

/** Throws if the bytes are not those of such a block. */
export function decodeBlock(
  { first, last, count, encoded = new Uint8Array(0) }: IndexBlock,
  table: FlagTable
): BlockColumns {
  const reader = new BytesReader(inflateRawSync(encoded, { maxOutputLength: MAX_BLOCK_BYTES }))
  const combinations: MessageFlags[] = JSON.parse(reader.text(reader.number()))
  const numbers = combinations.map(({ flags, labels }) => table.numberOf(flags, labels))
  const columns = createColumns(count)
  let uid = first
  for (let at = 0; at < count; at++) {
    if (at > 0) uid += reader.number()
    columns.uids[at] = uid
  }
  for (let at = 0; at < count; at++) {
    const number = numbers[reader.number()]
    if (number === undefined) throw new RangeError('Unknown flags in an index')
    columns.flags[at] = number
  }
  if (uid !== last || !reader.isAtEnd) throw new RangeError('An index has other messages')
  return columns
}
