import { crc32 } from 'node:zlib'
import { createWorkSlice } from '../../../kernel/work-slice.ts'
import { type BlockList, mergeBlocks } from './block-list.ts'
import { BLOCK_MESSAGES, encodeBlock, type IndexBlock } from './index-block.ts'
import { BytesReader, BytesWriter } from './index-bytes.ts'
import { MAX_UID } from './uid-ranges.ts'

const VERSION = 1
/** The version and a checksum. */
const HEADER_BYTES = 5
const CHECKSUM_AT = 1
const MAX_NUMBER_BYTES = 5

/**
 * Version, checksum, a list of the blocks, the blocks. Only those that changed since they were
 * decoded are compressed.
 */
export async function encodeBlocks(list: BlockList): Promise<Uint8Array> {
  mergeBlocks(list)
  const { blocks, table, open } = list
  const slice = createWorkSlice(1)
  const encoded: Uint8Array[] = []
  for (const block of blocks) {
    block.encoded ??= encodeBlock(block, open(block), table)
    block.columns = undefined
    encoded.push(block.encoded)
    if (slice.isOver()) await slice.pause()
  }
  const bytes = Buffer.concat([new Uint8Array(HEADER_BYTES), formatList(blocks), ...encoded])
  bytes[0] = VERSION
  bytes.writeUInt32LE(crc32(bytes.subarray(HEADER_BYTES)), CHECKSUM_AT)
  return bytes
}

function formatList(blocks: readonly IndexBlock[]): Uint8Array {
  const writer = new BytesWriter(MAX_NUMBER_BYTES * (1 + 4 * blocks.length))
  writer.number(blocks.length)
  let before = 0
  for (const { first, last, count, encoded } of blocks) {
    writer.number(first - before)
    writer.number(last - first)
    writer.number(count)
    writer.number(encoded?.length ?? 0)
    before = last
  }
  return writer.written()
}

/** Undefined if the bytes are damaged, or of another version. */
export function decodeBlocks(bytes: Uint8Array): IndexBlock[] | undefined {
  if (bytes.length <= HEADER_BYTES || bytes[0] !== VERSION) return undefined
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES)
  const rest = bytes.subarray(HEADER_BYTES)
  if (header.getUint32(CHECKSUM_AT, true) !== crc32(rest)) return undefined
  return readBlocks(new BytesReader(rest))
}

function readBlocks(reader: BytesReader): IndexBlock[] | undefined {
  const blocks: IndexBlock[] = []
  const lengths: number[] = []
  let before = 0
  for (let left = reader.number(); left > 0; left--) {
    const first = before + reader.number()
    const last = first + reader.number()
    const count = reader.number()
    const isPossible = first > before && count > 0 && count <= last - first + 1
    if (!isPossible || last > MAX_UID || count > BLOCK_MESSAGES) return undefined
    blocks.push({ first, last, count, encoded: undefined, columns: undefined })
    lengths.push(reader.number())
    before = last
  }
  for (const [position, block] of blocks.entries()) {
    block.encoded = reader.bytes(lengths[position] ?? 0)
  }
  return reader.isAtEnd ? blocks : undefined
}
