import { crc32 } from 'node:zlib'
import { type ArchiveFile, readAt } from './archive-file.ts'
import { type EntryRecord, LOCAL_BYTES, overlaps } from './central-directory.ts'
import { resolveZip64 } from './extra-field.ts'
import { damagedEntry } from './zip-error.ts'

export const LOCAL_SIGNATURE = 0x04034b50

export const ENCRYPTED = 1 << 0
/** Checksum and sizes follow the data; the header may contain zeros. */
export const HAS_DESCRIPTOR = 1 << 3

/** Compares the header before the data with the central directory; returns where the data starts. */
export async function readDataStart(file: ArchiveFile, record: EntryRecord): Promise<number> {
  const header = await readAt(file, record.start, Buffer.alloc(LOCAL_BYTES))
  if (header.readUInt32LE(0) !== LOCAL_SIGNATURE) {
    throw damagedEntry(file.path, record.name, 'its header is missing')
  }
  const flags = header.readUInt16LE(6)
  const nameBytes = header.readUInt16LE(26)
  const variable = nameBytes + header.readUInt16LE(28)
  const dataStart = record.start + LOCAL_BYTES + variable
  if (dataStart + record.compressedSize > record.end) throw overlaps(file, record.name)
  const rest = await readAt(file, record.start + LOCAL_BYTES, Buffer.alloc(variable))
  const isSame =
    header.readUInt16LE(8) === record.method &&
    (flags & ENCRYPTED) === (record.flags & ENCRYPTED) &&
    nameBytes === record.nameBytes &&
    crc32(rest.subarray(0, nameBytes)) === record.nameCrc &&
    ((flags & HAS_DESCRIPTOR) !== 0 || hasSameSizes(header, rest.subarray(nameBytes), record))
  if (!isSame) throw damagedEntry(file.path, record.name, 'its two headers differ')
  return dataStart
}

function hasSameSizes(header: Buffer, extra: Buffer, record: EntryRecord): boolean {
  const values = [header.readUInt32LE(22), header.readUInt32LE(18)] as const
  const [size, compressedSize] = resolveZip64(values, extra) ?? []
  return (
    header.readUInt32LE(14) === record.crc &&
    size === record.size &&
    compressedSize === record.compressedSize
  )
}
