import { type BlockList, createBlockList } from './block-list.ts'
import type { IndexBlock } from './index-block.ts'
import { decodeBlocks, encodeBlocks } from './index-encoding.ts'
import { createFlagTable, type MessageFlags } from './message-flags.ts'
import { ALL_UIDS, MAX_UID, type UidRanges } from './uid-ranges.ts'

/**
 * UIDs of the messages of a mailbox with their flags. Blocks of messages stay compressed until they
 * are read, so it takes little memory. It must not change while it is iterated.
 */
export interface MessageIndex {
  readonly size: number
  has: (uid: number) => boolean
  get: (uid: number) => MessageFlags | undefined
  /** Flags and labels in any order; labels that are not given stay as they are. */
  set: (uid: number, flags: readonly string[], labels?: readonly string[]) => void
  delete: (uid: number) => boolean
  /** In ascending order; of these ranges, if they are given. */
  uids: (within?: UidRanges) => Iterable<number>
  entries: () => Iterable<readonly [uid: number, flags: MessageFlags]>
}

const blockLists = new WeakMap<MessageIndex, BlockList>()

export function createMessageIndex(
  entries: Iterable<readonly [uid: number, flags: readonly string[]]> = []
): MessageIndex {
  const index = createIndexOf([])
  for (const [uid, flags] of entries) index.set(uid, flags)
  return index
}

/** The time depends on the blocks that changed: one new message of 100,000 takes a millisecond. */
export async function encodeIndex(index: MessageIndex): Promise<Uint8Array> {
  const list = blockLists.get(index)
  if (list === undefined) throw new TypeError('An index without blocks')
  return encodeBlocks(list)
}

/** Undefined if the bytes are damaged, or of another version. */
export async function decodeIndex(bytes: Uint8Array): Promise<MessageIndex | undefined> {
  const blocks = decodeBlocks(bytes)
  return blocks && createIndexOf(blocks)
}

function createIndexOf(blocks: IndexBlock[]): MessageIndex {
  const table = createFlagTable()
  const list = createBlockList(blocks, table)
  let size = blocks.reduce((sum, { count }) => sum + count, 0)

  function get(uid: number): MessageFlags | undefined {
    const row = list.find(uid)
    return row && table.at(row.columns.flags[row.at] ?? 0)
  }

  function set(uid: number, flags: readonly string[], labels?: readonly string[]): void {
    if (!Number.isInteger(uid) || uid < 1 || uid > MAX_UID) return
    const row = list.find(uid)
    if (row === undefined) {
      list.insert(uid, table.numberOf(flags, labels))
      size++
      return
    }
    const before = row.columns.flags[row.at] ?? 0
    const number = table.numberOf(flags, labels ?? table.at(before).labels)
    if (number !== before) list.setFlags(row, number)
  }

  function remove(uid: number): boolean {
    const row = list.find(uid)
    if (row === undefined) return false
    list.remove(row)
    size--
    return true
  }

  function* entries(): Generator<readonly [number, MessageFlags]> {
    for (const block of blocks) {
      const columns = list.open(block)
      for (let at = 0; at < block.count; at++) {
        yield [columns.uids[at] ?? 0, table.at(columns.flags[at] ?? 0)]
      }
    }
  }

  const index: MessageIndex = {
    get size() {
      return size
    },
    has: (uid) => list.find(uid) !== undefined,
    get,
    set,
    delete: remove,
    uids: (within = ALL_UIDS) => list.uids(within),
    entries
  }
  blockLists.set(index, list)
  return index
}
