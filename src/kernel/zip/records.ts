import { CENTRAL_BYTES, CENTRAL_SIGNATURE, LOCAL_BYTES } from './central-directory.ts'
import {
  END_BYTES,
  END_SIGNATURE,
  LOCATOR_BYTES,
  LOCATOR_SIGNATURE,
  ZIP64_END_BYTES,
  ZIP64_END_SIGNATURE
} from './directory-end.ts'
import { UTF8_NAME } from './entry-name.ts'
import { IN_ZIP64, ZIP64_FIELD } from './extra-field.ts'
import { HAS_DESCRIPTOR, LOCAL_SIGNATURE } from './local-header.ts'

/** Version of the format that a reader needs: 2.0 for deflate, 4.5 for zip64. */
const VERSION = 20
const VERSION_ZIP64 = 45
/** Attributes are those of Unix: a regular file, readable by all. */
const MADE_BY_UNIX = 3 << 8
const FILE_MODE = 0o100644
const UNIX_TIME_FIELD = 0x5455
const DESCRIPTOR_SIGNATURE = 0x08074b50

/** An entry to write. Until its data is written, checksum and sizes are 0. */
export interface WrittenEntry {
  readonly name: string
  readonly modified: Date
  readonly method: number
  /** Whether checksum and sizes follow the data. */
  readonly hasDescriptor: boolean
  readonly offset: number
  crc: number
  size: number
  compressedSize: number
  /** The offset of what follows. */
  end: number
}

/** The header before the data. */
export function localHeader(entry: WrittenEntry): Buffer {
  const name = Buffer.from(entry.name)
  const extra = timeField(entry.modified)
  const header = Buffer.alloc(LOCAL_BYTES)
  header.writeUInt32LE(LOCAL_SIGNATURE, 0)
  header.writeUInt16LE(VERSION, 4)
  writeShared(header, entry, 6)
  if (!entry.hasDescriptor) {
    header.writeUInt32LE(entry.crc, 14)
    header.writeUInt32LE(entry.compressedSize, 18)
    header.writeUInt32LE(entry.size, 22)
  }
  header.writeUInt16LE(name.length, 26)
  header.writeUInt16LE(extra.length, 28)
  return Buffer.concat([header, name, extra])
}

/** What follows the data of a stream. The sizes have 8 bytes if one of them needs zip64. */
export function dataDescriptor({ crc, size, compressedSize }: WrittenEntry): Buffer {
  const isWide = isLarge(size) || isLarge(compressedSize)
  const descriptor = Buffer.alloc(isWide ? 24 : 16)
  descriptor.writeUInt32LE(DESCRIPTOR_SIGNATURE, 0)
  descriptor.writeUInt32LE(crc, 4)
  if (isWide) {
    descriptor.writeBigUInt64LE(BigInt(compressedSize), 8)
    descriptor.writeBigUInt64LE(BigInt(size), 16)
  } else {
    descriptor.writeUInt32LE(compressedSize, 8)
    descriptor.writeUInt32LE(size, 12)
  }
  return descriptor
}

export function centralRecord(entry: WrittenEntry): Buffer {
  const { size, compressedSize, offset } = entry
  const name = Buffer.from(entry.name)
  const large = [size, compressedSize, offset].filter(isLarge)
  const extra = Buffer.concat([zip64Field(large), timeField(entry.modified)])
  const record = Buffer.alloc(CENTRAL_BYTES)
  const version = large.length > 0 ? VERSION_ZIP64 : VERSION
  record.writeUInt32LE(CENTRAL_SIGNATURE, 0)
  record.writeUInt16LE(MADE_BY_UNIX | version, 4)
  record.writeUInt16LE(version, 6)
  writeShared(record, entry, 8)
  record.writeUInt32LE(entry.crc, 16)
  record.writeUInt32LE(Math.min(compressedSize, IN_ZIP64), 20)
  record.writeUInt32LE(Math.min(size, IN_ZIP64), 24)
  record.writeUInt16LE(name.length, 28)
  record.writeUInt16LE(extra.length, 30)
  record.writeUInt32LE(FILE_MODE * 0x10000, 38)
  record.writeUInt32LE(Math.min(offset, IN_ZIP64), 42)
  return Buffer.concat([record, name, extra])
}

/** The records after the central directory. */
export function directoryEnd(entries: number, offset: number, size: number): Buffer {
  const end = Buffer.alloc(END_BYTES)
  end.writeUInt32LE(END_SIGNATURE, 0)
  end.writeUInt16LE(Math.min(entries, 0xffff), 8)
  end.writeUInt16LE(Math.min(entries, 0xffff), 10)
  end.writeUInt32LE(Math.min(size, IN_ZIP64), 12)
  end.writeUInt32LE(Math.min(offset, IN_ZIP64), 16)
  const isWide = entries >= 0xffff || isLarge(size) || isLarge(offset)
  return isWide ? Buffer.concat([zip64End(entries, offset, size), end]) : end
}

function zip64End(entries: number, offset: number, size: number): Buffer {
  const bytes = Buffer.alloc(ZIP64_END_BYTES + LOCATOR_BYTES)
  bytes.writeUInt32LE(ZIP64_END_SIGNATURE, 0)
  bytes.writeBigUInt64LE(BigInt(ZIP64_END_BYTES - 12), 4)
  bytes.writeUInt16LE(MADE_BY_UNIX | VERSION_ZIP64, 12)
  bytes.writeUInt16LE(VERSION_ZIP64, 14)
  bytes.writeBigUInt64LE(BigInt(entries), 24)
  bytes.writeBigUInt64LE(BigInt(entries), 32)
  bytes.writeBigUInt64LE(BigInt(size), 40)
  bytes.writeBigUInt64LE(BigInt(offset), 48)
  bytes.writeUInt32LE(LOCATOR_SIGNATURE, ZIP64_END_BYTES)
  bytes.writeBigUInt64LE(BigInt(offset + size), ZIP64_END_BYTES + 8)
  bytes.writeUInt32LE(1, ZIP64_END_BYTES + 16)
  return bytes
}

function isLarge(value: number): boolean {
  return value >= IN_ZIP64
}

/** Flags, method, time and date, which both headers contain in this order. */
function writeShared(target: Buffer, entry: WrittenEntry, position: number): void {
  const { time, date } = dosTime(entry.modified)
  target.writeUInt16LE(UTF8_NAME | (entry.hasDescriptor ? HAS_DESCRIPTOR : 0), position)
  target.writeUInt16LE(entry.method, position + 2)
  target.writeUInt16LE(time, position + 4)
  target.writeUInt16LE(date, position + 6)
}

/** In UTC, so that the bytes do not depend on the time zone of the machine. */
function dosTime(modified: Date): { time: number; date: number } {
  const year = modified.getUTCFullYear()
  if (!(year >= 1980)) return { time: 0, date: (1 << 5) | 1 }
  if (year > 2107) return { time: (23 << 11) | (59 << 5) | 29, date: (127 << 9) | (12 << 5) | 31 }
  const seconds = modified.getUTCSeconds() >> 1
  return {
    time: (modified.getUTCHours() << 11) | (modified.getUTCMinutes() << 5) | seconds,
    date: ((year - 1980) << 9) | ((modified.getUTCMonth() + 1) << 5) | modified.getUTCDate()
  }
}

/** The exact time: programs read the DOS time as local. Omitted if it does not fit into 32 bits. */
function timeField(modified: Date): Buffer {
  const seconds = Math.floor(modified.getTime() / 1000)
  if (!(Math.abs(seconds) < 2 ** 31)) return Buffer.alloc(0)
  const field = Buffer.alloc(9)
  field.writeUInt16LE(UNIX_TIME_FIELD, 0)
  field.writeUInt16LE(5, 2)
  field.writeUInt8(1, 4)
  field.writeInt32LE(seconds, 5)
  return field
}

function zip64Field(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0)
  const field = Buffer.alloc(4 + 8 * values.length)
  field.writeUInt16LE(ZIP64_FIELD, 0)
  field.writeUInt16LE(8 * values.length, 2)
  for (const [index, value] of values.entries()) {
    field.writeBigUInt64LE(BigInt(value), 4 + 8 * index)
  }
  return field
}
