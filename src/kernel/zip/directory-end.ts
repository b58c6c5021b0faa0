import { type ArchiveFile, readAt } from './archive-file.ts'
import { IN_ZIP64, readSize } from './extra-field.ts'
import { damaged, ZipError } from './zip-error.ts'

export const END_SIGNATURE = 0x06054b50
export const END_BYTES = 22
export const LOCATOR_SIGNATURE = 0x07064b50
export const LOCATOR_BYTES = 20
export const ZIP64_END_SIGNATURE = 0x06064b50
export const ZIP64_END_BYTES = 56
const MAX_COMMENT_BYTES = 0xffff

/** Where the central directory is. */
export interface DirectoryEnd {
  readonly entries: number
  /** Positions in the file. */
  readonly start: number
  readonly end: number
  /** Bytes before the archive, which the offsets in it do not count. */
  readonly prefix: number
}

interface Zip64End {
  readonly position: number
  readonly record: Buffer
}

/** Reads the record at the end of the file, and its zip64 form if there is one. */
export async function readDirectoryEnd(file: ArchiveFile): Promise<DirectoryEnd> {
  const length = Math.min(file.size, LOCATOR_BYTES + END_BYTES + MAX_COMMENT_BYTES)
  const tail = await readAt(file, file.size - length, Buffer.alloc(length))
  const start = findEnd(tail)
  if (start === undefined) throw damaged(file.path, 'its end record is missing')
  const record = tail.subarray(start, start + END_BYTES)
  const position = file.size - length + start
  const locator = start >= LOCATOR_BYTES ? tail.subarray(start - LOCATOR_BYTES, start) : undefined
  const zip64 = await readZip64End(file, locator, position - LOCATOR_BYTES)
  return zip64 === undefined ? locate(file, record, position) : locateZip64(file, record, zip64)
}

/** The comment after the record must end with the file; it may contain the signature itself. */
function findEnd(tail: Buffer): number | undefined {
  for (let start = tail.length - END_BYTES; start >= 0; start -= 1) {
    if (tail.readUInt32LE(start) !== END_SIGNATURE) continue
    if (start + END_BYTES + tail.readUInt16LE(start + 20) === tail.length) return start
  }
  return undefined
}

async function readZip64End(
  file: ArchiveFile,
  locator: Buffer | undefined,
  locatorPosition: number
): Promise<Zip64End | undefined> {
  if (locator?.readUInt32LE(0) !== LOCATOR_SIGNATURE) return undefined
  if (locator.readUInt32LE(4) !== 0 || locator.readUInt32LE(16) > 1) throw split(file)
  // Bytes before the archive move the record; then it is directly before the locator.
  for (const position of [readSize(locator, 8), locatorPosition - ZIP64_END_BYTES]) {
    if (position < 0 || position + ZIP64_END_BYTES > locatorPosition) continue
    const record = await readAt(file, position, Buffer.alloc(ZIP64_END_BYTES))
    const isComplete = position + 12 + readSize(record, 4) === locatorPosition
    if (record.readUInt32LE(0) === ZIP64_END_SIGNATURE && isComplete) return { position, record }
  }
  throw damaged(file.path, 'its zip64 end record is missing')
}

function locate(file: ArchiveFile, record: Buffer, end: number): DirectoryEnd {
  checkDisks(file, [record.readUInt16LE(4), record.readUInt16LE(6)])
  const entries = record.readUInt16LE(10)
  if (record.readUInt16LE(8) !== entries) throw split(file)
  const [size, offset] = [record.readUInt32LE(12), record.readUInt32LE(16)]
  return checkRange(file, { entries, size, offset, end })
}

/** Values of the zip64 record count where the older record refers to it. */
function locateZip64(file: ArchiveFile, record: Buffer, zip64: Zip64End): DirectoryEnd {
  const wide = zip64.record
  const disks = [record.readUInt16LE(4), record.readUInt16LE(6)].map((disk) =>
    disk === 0xffff ? 0 : disk
  )
  checkDisks(file, [...disks, wide.readUInt32LE(16), wide.readUInt32LE(20)])
  if (readSize(wide, 24) !== readSize(wide, 32)) throw split(file)
  const narrow = record.readUInt16LE(10)
  const entries = narrow === 0xffff ? readSize(wide, 32) : narrow
  const [narrowSize, narrowOffset] = [record.readUInt32LE(12), record.readUInt32LE(16)]
  const size = narrowSize === IN_ZIP64 ? readSize(wide, 40) : narrowSize
  const offset = narrowOffset === IN_ZIP64 ? readSize(wide, 48) : narrowOffset
  return checkRange(file, { entries, size, offset, end: zip64.position })
}

function checkDisks(file: ArchiveFile, disks: readonly number[]): void {
  if (disks.some((disk) => disk !== 0)) throw split(file)
}

function split(file: ArchiveFile): ZipError {
  const text = `${file.path} is one part of a split zip archive; join the parts to one file first`
  return new ZipError('unsupported', text)
}

function checkRange(
  file: ArchiveFile,
  found: { entries: number; size: number; offset: number; end: number }
): DirectoryEnd {
  const { entries, size, offset, end } = found
  const start = end - size
  const prefix = start - offset
  if (!(start >= 0 && prefix >= 0))
    throw damaged(file.path, 'bytes before its end record are missing')
  return { entries, start, end, prefix }
}
