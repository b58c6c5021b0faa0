import { crc32 } from 'node:zlib'
import { type ArchiveFile, readAt } from './archive-file.ts'
import type { DirectoryEnd } from './directory-end.ts'
import { decodeName, type NameEncoding, nameProblem } from './entry-name.ts'
import { resolveZip64 } from './extra-field.ts'
import type { ZipLimits } from './limits.ts'
import { damaged, damagedEntry, quoteName, ZipError } from './zip-error.ts'

export const CENTRAL_SIGNATURE = 0x02014b50
export const CENTRAL_BYTES = 46
export const LOCAL_BYTES = 30

/** Longer than the longest record: three variable parts of 65,535 bytes. */
const BLOCK_BYTES = 256 * 1024

/** One entry of the archive, as its central directory declares it. */
export interface ZipEntry {
  readonly name: string
  /** Uncompressed bytes; checked when the entry is read. */
  readonly size: number
  readonly compressedSize: number
  /** Its name ends with a slash; it cannot be read. */
  readonly isFolder: boolean
  /** CRC-32 of the uncompressed bytes; checked when the entry is read. */
  readonly crc: number
}

export interface EntryRecord extends ZipEntry {
  readonly flags: number
  readonly method: number
  /** Position of the local header in the file. */
  readonly start: number
  /** Length and checksum of the name as it is in the archive. */
  readonly nameBytes: number
  readonly nameCrc: number
  /** Position of what follows the entry in the file: another entry or the central directory. */
  end: number
}

/** Reads the list of entries in blocks; the data of the entries is not read. */
export async function readCentralDirectory(
  file: ArchiveFile,
  directory: DirectoryEnd,
  limits: ZipLimits
): Promise<Map<string, EntryRecord>> {
  checkDirectoryLimits(file, directory, limits)
  const records = new Map<string, EntryRecord>()
  const block = Buffer.alloc(Math.min(BLOCK_BYTES, directory.end - directory.start))
  let position = directory.start
  while (position < directory.end) {
    const length = Math.min(block.length, directory.end - position)
    const bytes = await readAt(file, position, block.subarray(0, length))
    const used = readRecords(bytes, (record) => addRecord(file, directory, limits, records, record))
    if (used === 0) throw damaged(file.path, 'its list of entries is cut or overwritten')
    position += used
  }
  const wanted = directory.entries
  if (records.size !== wanted) {
    throw damaged(file.path, `it lists ${records.size} entries instead of ${wanted}`)
  }
  checkOverlaps(file, directory, [...records.values()])
  return records
}

function checkDirectoryLimits(file: ArchiveFile, end: DirectoryEnd, limits: ZipLimits): void {
  if (end.entries > limits.entries) {
    const text = `${file.path} has more than ${limits.entries} entries; split the archive into several`
    throw new ZipError('limit', text)
  }
  if (end.end - end.start > limits.directoryBytes) {
    const text = `The list of entries of ${file.path} is larger than ${limits.directoryBytes} bytes; split the archive into several`
    throw new ZipError('limit', text)
  }
}

/** Calls `add` with each complete record and returns the number of bytes used. */
function readRecords(bytes: Buffer, add: (record: Buffer) => void): number {
  let position = 0
  while (position + CENTRAL_BYTES <= bytes.length) {
    if (bytes.readUInt32LE(position) !== CENTRAL_SIGNATURE) break
    const variable =
      bytes.readUInt16LE(position + 28) +
      bytes.readUInt16LE(position + 30) +
      bytes.readUInt16LE(position + 32)
    const end = position + CENTRAL_BYTES + variable
    if (end > bytes.length) break
    add(bytes.subarray(position, end))
    position = end
  }
  return position
}

function addRecord(
  file: ArchiveFile,
  directory: DirectoryEnd,
  limits: ZipLimits,
  records: Map<string, EntryRecord>,
  bytes: Buffer
): void {
  if (records.size === directory.entries) {
    throw damaged(file.path, `it lists more than ${directory.entries} entries`)
  }
  const record = parseRecord(file, directory, limits, bytes)
  if (records.has(record.name) || records.has(otherKind(record.name))) {
    const text = `${file.path} has two entries with the name ${quoteName(record.name)}; remove one of them`
    throw new ZipError('name', text, { entry: record.name })
  }
  records.set(record.name, record)
}

/** A file and a folder of one name are duplicates, too. */
function otherKind(name: string): string {
  return name.endsWith('/') ? name.slice(0, -1) : `${name}/`
}

function parseRecord(
  file: ArchiveFile,
  directory: DirectoryEnd,
  limits: ZipLimits,
  bytes: Buffer
): EntryRecord {
  const flags = bytes.readUInt16LE(8)
  const nameBytes = bytes.readUInt16LE(28)
  const extraStart = CENTRAL_BYTES + nameBytes
  const extra = bytes.subarray(extraStart, extraStart + bytes.readUInt16LE(30))
  const rawName = bytes.subarray(CENTRAL_BYTES, extraStart)
  const name = readName(file, limits, rawName, { flags, madeBy: bytes.readUInt8(5), extra })
  const disk = bytes.readUInt16LE(34)
  if (disk !== 0 && disk !== 0xffff) {
    const text = `${file.path} is one part of a split zip archive; join the parts to one file first`
    throw new ZipError('unsupported', text, { entry: name })
  }
  const values = [bytes.readUInt32LE(24), bytes.readUInt32LE(20), bytes.readUInt32LE(42)] as const
  const resolved = resolveZip64(values, extra)
  if (resolved === undefined) throw damagedEntry(file.path, name, 'its size is missing')
  const [size, compressedSize, offset] = resolved
  return {
    name,
    size,
    compressedSize,
    isFolder: name.endsWith('/'),
    flags,
    method: bytes.readUInt16LE(10),
    crc: bytes.readUInt32LE(16),
    start: directory.prefix + offset,
    nameBytes,
    nameCrc: crc32(rawName),
    end: directory.start
  }
}

function readName(
  file: ArchiveFile,
  limits: ZipLimits,
  bytes: Buffer,
  encoding: NameEncoding
): string {
  const name = decodeName(bytes, encoding)
  if (name === undefined) {
    const shown = quoteName(bytes.toString('latin1'))
    const text = `The name ${shown} in ${file.path} is not valid UTF-8; rename the file and create the archive again`
    throw new ZipError('name', text)
  }
  const isLong = bytes.length > limits.nameBytes || Buffer.byteLength(name) > limits.nameBytes
  const problem = isLong ? `is longer than ${limits.nameBytes} bytes` : nameProblem(name)
  if (problem === undefined) return name
  const text = `The name ${quoteName(name)} in ${file.path} ${problem}; rename the file and create the archive again`
  throw new ZipError('name', text, { entry: name })
}

/**
 * Entries that share bytes are refused: a few bytes would be read as the data of many entries.
 * Sets the end of each entry.
 */
function checkOverlaps(file: ArchiveFile, directory: DirectoryEnd, records: EntryRecord[]): void {
  records.sort((one, other) => one.start - other.start)
  for (const [index, record] of records.entries()) {
    record.end = records[index + 1]?.start ?? directory.start
    if (record.start + LOCAL_BYTES + record.nameBytes + record.compressedSize > record.end) {
      throw overlaps(file, record.name)
    }
  }
}

export function overlaps(file: ArchiveFile, name: string): ZipError {
  return damagedEntry(file.path, name, 'it overlaps with what follows it')
}
