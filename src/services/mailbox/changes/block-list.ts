import {
  BLOCK_MESSAGES,
  type BlockColumns,
  copyColumns,
  createColumns,
  decodeBlock,
  findUid,
  type IndexBlock
} from './index-block.ts'
import type { FlagTable } from './message-flags.ts'
import type { UidRanges } from './uid-ranges.ts'

/** Far below a block, so that blocks are not merged and divided in turn. */
const MAX_MERGED_MESSAGES = BLOCK_MESSAGES / 4

/** Where a message is. */
export interface BlockRow {
  readonly block: IndexBlock
  readonly columns: BlockColumns
  readonly at: number
}

/** Blocks in the order of their UIDs. */
export interface BlockList {
  readonly blocks: IndexBlock[]
  readonly table: FlagTable
  open: (block: IndexBlock) => BlockColumns
  find: (uid: number) => BlockRow | undefined
  /** Of a UID that is in no block. */
  insert: (uid: number, flags: number) => void
  setFlags: (row: BlockRow, flags: number) => void
  remove: (row: BlockRow) => void
  /** Of these ranges, in ascending order. */
  uids: (within: UidRanges) => Generator<number>
}

export function createBlockList(blocks: IndexBlock[], table: FlagTable): BlockList {
  /** The last one that was opened. A walk through unchanged blocks has one of them in memory. */
  let opened: IndexBlock | undefined

  function open(block: IndexBlock): BlockColumns {
    if (block.columns !== undefined) return block.columns
    if (opened?.encoded !== undefined) opened.columns = undefined
    opened = block
    block.columns = decodeBlock(block, table)
    return block.columns
  }

  /** Of the first block that ends at this UID or later. */
  function positionOf(uid: number): number {
    let low = 0
    let high = blocks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((blocks[middle]?.last ?? 0) < uid) low = middle + 1
      else high = middle
    }
    return low
  }

  function find(uid: number): BlockRow | undefined {
    const block = blocks[positionOf(uid)]
    if (block === undefined || uid < block.first) return undefined
    const columns = open(block)
    const at = findUid(columns, block.count, uid)
    return columns.uids[at] === uid ? { block, columns, at } : undefined
  }

  function insert(uid: number, flags: number): void {
    const position = Math.min(positionOf(uid), blocks.length - 1)
    const block = blocks[position]
    const isFull = block !== undefined && block.count >= BLOCK_MESSAGES
    if (block === undefined || (isFull && uid > block.last)) {
      const columns = createColumns(16)
      columns.uids[0] = uid
      columns.flags[0] = flags
      blocks.push({ first: uid, last: uid, count: 1, encoded: undefined, columns })
    } else if (isFull) {
      blocks.splice(position, 1, ...halvesOf(block, open(block)))
      insert(uid, flags)
    } else {
      insertInto(block, uid, flags)
    }
  }

  function insertInto(block: IndexBlock, uid: number, flags: number): void {
    const { count } = block
    const full = open(block)
    const columns = count === full.uids.length ? copyColumns(full, 0, count) : full
    const at = findUid(columns, count, uid)
    columns.uids.copyWithin(at + 1, at, count)
    columns.flags.copyWithin(at + 1, at, count)
    columns.uids[at] = uid
    columns.flags[at] = flags
    change(block, columns, count + 1)
  }

  function* uidsBetween(first: number, last: number): Generator<number> {
    for (let position = positionOf(first); position < blocks.length; position++) {
      const block = blocks[position]
      if (block === undefined || block.first > last) return
      const columns = open(block)
      for (let at = findUid(columns, block.count, first); at < block.count; at++) {
        const uid = columns.uids[at] ?? 0
        if (uid > last) return
        yield uid
      }
    }
  }

  return {
    blocks,
    table,
    open,
    find,
    insert,
    setFlags({ block, columns, at }, flags) {
      columns.flags[at] = flags
      change(block, columns, block.count)
    },
    remove({ block, columns, at }) {
      if (block.count === 1) {
        blocks.splice(positionOf(block.last), 1)
        return
      }
      columns.uids.copyWithin(at, at + 1, block.count)
      columns.flags.copyWithin(at, at + 1, block.count)
      change(block, columns, block.count - 1)
    },
    *uids(within) {
      for (let at = 0; at < within.length; at += 2) {
        yield* uidsBetween(within[at] ?? 0, within[at + 1] ?? 0)
      }
    }
  }
}

/** Joins neighbours that lost most of their messages. */
export function mergeBlocks({ blocks, open }: BlockList): void {
  for (let position = blocks.length - 2; position >= 0; position--) {
    const left = blocks[position]
    const right = blocks[position + 1]
    if (left === undefined || right === undefined) continue
    const count = left.count + right.count
    if (count > MAX_MERGED_MESSAGES) continue
    const columns = createColumns(count)
    for (const [{ count: length }, { uids, flags }, start] of [
      [left, open(left), 0] as const,
      [right, open(right), left.count] as const
    ]) {
      columns.uids.set(uids.subarray(0, length), start)
      columns.flags.set(flags.subarray(0, length), start)
    }
    change(left, columns, count)
    blocks.splice(position + 1, 1)
  }
}

function change(block: IndexBlock, columns: BlockColumns, count: number): void {
  block.encoded = undefined
  block.columns = columns
  block.count = count
  block.first = columns.uids[0] ?? 0
  block.last = columns.uids[count - 1] ?? 0
}

function halvesOf({ count }: IndexBlock, columns: BlockColumns): IndexBlock[] {
  const half = count >>> 1
  return [blockOf(columns, 0, half), blockOf(columns, half, count)]
}

function blockOf(columns: BlockColumns, start: number, end: number): IndexBlock {
  return {
    first: columns.uids[start] ?? 0,
    last: columns.uids[end - 1] ?? 0,
    count: end - start,
    encoded: undefined,
    columns: copyColumns(columns, start, end)
  }
}
