import { crc32, deflateRawSync } from 'node:zlib'

type Change = (record: Buffer) => void

/** An entry, valid unless a part of it is replaced. */
export interface RawEntry {
  name: string | Buffer
  data?: Buffer
  stored?: boolean
  flags?: number
  extra?: Buffer
  localExtra?: Buffer
  /** Checksum and sizes follow the data. */
  descriptor?: 'with signature' | 'without signature'
  /** Sizes and offset are in the zip64 field. */
  zip64?: boolean
  /** Replaces the bytes of the data in the archive, not the declared sizes. */
  payload?: Buffer
  /** Changes the finished local header, its name and extra field included. */
  local?: Change
  /** Changes the finished record of the central directory. */
  central?: Change
}

export interface RawArchive {
  /** Bytes before the archive, which offsets do not count. */
  prefix?: Buffer
  /** Offsets count the bytes before the archive. */
  countPrefix?: boolean
  comment?: Buffer
  zip64?: boolean
  /** Bytes at the end of the zip64 record. */
  zip64Extension?: Buffer
  /** Changes the end record. */
  end?: Change
  zip64End?: Change
  locator?: Change
}

/** Writes archives of all kinds without code of the product, the wrong ones included. */
export function rawZip(entries: readonly RawEntry[], archive: RawArchive = {}): Buffer {
  const prefix = archive.prefix ?? Buffer.alloc(0)
  const base = archive.countPrefix ? prefix.length : 0
  const parts: Buffer[] = []
  const records: Buffer[] = []
  let offset = base
  for (const entry of entries) {
    const { local, central } = rawEntry(entry, offset)
    parts.push(local)
    records.push(central)
    offset += local.length
  }
  const directory = Buffer.concat(records)
  const end = rawEnd(entries.length, offset, directory.length, archive)
  return Buffer.concat([prefix, ...parts, directory, end])
}

function rawEntry(entry: RawEntry, offset: number): { local: Buffer; central: Buffer } {
  const data = entry.data ?? Buffer.alloc(0)
  const payload = entry.stored ? data : deflateRawSync(data)
  const name = Buffer.from(entry.name)
  const flags = (entry.flags ?? 0) | (entry.descriptor === undefined ? 0 : 8)
  const fixed = Buffer.alloc(26)
  fixed.writeUInt16LE(20, 0)
  fixed.writeUInt16LE(flags, 2)
  fixed.writeUInt16LE(entry.stored ? 0 : 8, 4)
  fixed.writeUInt16LE(0x21, 8)
  fixed.writeUInt32LE(crc32(data), 10)
  fixed.writeUInt32LE(entry.zip64 ? 0xffffffff : payload.length, 14)
  fixed.writeUInt32LE(entry.zip64 ? 0xffffffff : data.length, 18)
  fixed.writeUInt16LE(name.length, 22)
  const sizes = [data.length, payload.length]
  const wide = (values: number[]) => (entry.zip64 ? wideField(values) : Buffer.alloc(0))
  const localExtra = Buffer.concat([wide(sizes), entry.localExtra ?? Buffer.alloc(0)])
  const localFixed = Buffer.from(fixed)
  if (entry.descriptor !== undefined) localFixed.fill(0, 10, 22)
  localFixed.writeUInt16LE(localExtra.length, 24)
  const header = Buffer.concat([Buffer.from('PK\x03\x04'), localFixed, name, localExtra])
  entry.local?.(header)
  const extra = Buffer.concat([wide([...sizes, offset]), entry.extra ?? Buffer.alloc(0)])
  fixed.writeUInt16LE(extra.length, 24)
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(entry.zip64 ? 0xffffffff : offset, 10)
  const record = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fixed, rest, name, extra])
  entry.central?.(record)
  const after = descriptorOf(entry, crc32(data), payload.length, data.length)
  return { local: Buffer.concat([header, entry.payload ?? payload, after]), central: record }
}

function descriptorOf(entry: RawEntry, crc: number, compressed: number, size: number): Buffer {
  if (entry.descriptor === undefined) return Buffer.alloc(0)
  const values = Buffer.alloc(entry.zip64 ? 20 : 12)
  values.writeUInt32LE(crc, 0)
  values.writeUInt32LE(compressed, 4)
  values.writeUInt32LE(size, entry.zip64 ? 12 : 8)
  const signature = entry.descriptor === 'with signature' ? 'PK\x07\x08' : ''
  return Buffer.concat([Buffer.from(signature), values])
}

function wideField(values: number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length)
  field.writeUInt16LE(1, 0)
  field.writeUInt16LE(8 * values.length, 2)
  for (const [index, value] of values.entries()) {
    field.writeBigUInt64LE(BigInt(value), 4 + 8 * index)
  }
  return field
}

function rawEnd(entries: number, offset: number, size: number, archive: RawArchive): Buffer {
  const { zip64 = false, comment = Buffer.alloc(0) } = archive
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(zip64 ? 0xffff : entries, 8)
  end.writeUInt16LE(zip64 ? 0xffff : entries, 10)
  end.writeUInt32LE(zip64 ? 0xffffffff : size, 12)
  end.writeUInt32LE(zip64 ? 0xffffffff : offset, 16)
  end.writeUInt16LE(comment.length, 20)
  archive.end?.(end)
  if (!zip64) return Buffer.concat([end, comment])
  const extension = archive.zip64Extension ?? Buffer.alloc(0)
  const wide = Buffer.alloc(56)
  wide.write('PK\x06\x06', 'latin1')
  wide.writeBigUInt64LE(BigInt(44 + extension.length), 4)
  for (const [position, value] of [
    [24, entries],
    [32, entries],
    [40, size],
    [48, offset]
  ] as const) {
    wide.writeBigUInt64LE(BigInt(value), position)
  }
  archive.zip64End?.(wide)
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07', 'latin1')
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  archive.locator?.(locator)
  return Buffer.concat([wide, extension, locator, end, comment])
}
