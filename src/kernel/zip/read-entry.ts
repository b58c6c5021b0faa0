import { pipeline } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { type ArchiveFile, readAt } from './archive-file.ts'
import type { EntryRecord } from './central-directory.ts'
import type { ReadBudget } from './limits.ts'
import { ENCRYPTED, readDataStart } from './local-header.ts'
import { damagedEntry, quoteName, ZipError } from './zip-error.ts'

export const STORED = 0
export const DEFLATED = 8
const STRONG_ENCRYPTION = 1 << 6
const CHUNK_BYTES = 64 * 1024

/** The bytes of one entry; throws after the last of them if size or checksum are wrong. */
export async function* readEntry(
  file: ArchiveFile,
  record: EntryRecord,
  budget: ReadBudget
): AsyncGenerator<Buffer> {
  checkSupported(file, record)
  budget.checkDeclared(record.name, record.size, record.compressedSize)
  const start = await readDataStart(file, record)
  const data = readRange(file, start, start + record.compressedSize)
  const bytes = record.method === STORED ? data : inflate(file, record, data, budget)
  let size = 0
  let crc = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > record.size) throw wrongSize(file, record)
    budget.add(chunk.length)
    crc = crc32(chunk, crc)
    yield chunk
  }
  if (size !== record.size) throw wrongSize(file, record)
  if (crc !== record.crc) throw damagedEntry(file.path, record.name, 'its checksum is wrong')
}

function checkSupported(file: ArchiveFile, record: EntryRecord): void {
  const { name, flags, method } = record
  const entry = `The entry ${quoteName(name)} of ${file.path}`
  if (record.isFolder) {
    throw new ZipError('unsupported', `${entry} is a folder; only files can be read`, {
      entry: name
    })
  }
  if ((flags & (ENCRYPTED | STRONG_ENCRYPTION)) !== 0) {
    const text = `${entry} is encrypted; create the archive without a password`
    throw new ZipError('unsupported', text, { entry: name })
  }
  if (method !== STORED && method !== DEFLATED) {
    const text = `${entry} is compressed with method ${method}; create the archive with deflate`
    throw new ZipError('unsupported', text, { entry: name })
  }
}

async function* readRange(
  file: ArchiveFile,
  start: number,
  end: number
): AsyncGenerator<Buffer, void, void> {
  for (let position = start; position < end; ) {
    const length = Math.min(CHUNK_BYTES, end - position)
    yield await readAt(file, position, Buffer.allocUnsafe(length))
    position += length
  }
}

async function* inflate(
  file: ArchiveFile,
  record: EntryRecord,
  data: AsyncIterable<Buffer>,
  budget: ReadBudget
): AsyncGenerator<Buffer, void, void> {
  const inflated = createInflateRaw({ chunkSize: CHUNK_BYTES })
  // Its errors reach the loop below through the destroyed stream.
  pipeline(data, inflated, () => undefined)
  let produced = 0
  try {
    for await (const chunk of inflated) {
      produced += chunk.length
      budget.checkRatio(record.name, produced, inflated.bytesWritten)
      yield chunk
    }
  } catch (error) {
    throw explain(file, record, error)
  }
  // Data after the end of the compressed stream is not read by zlib.
  if (inflated.bytesWritten !== record.compressedSize) throw wrongSize(file, record)
}

/** Errors of zlib do not say which entry is damaged; errors of the file system stay as they are. */
function explain(file: ArchiveFile, record: EntryRecord, error: unknown): unknown {
  const isZlib = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
  if (!isZlib) return error
  const detail = 'its compressed data cannot be decoded'
  return damagedEntry(file.path, record.name, detail, { cause: error })
}

function wrongSize(file: ArchiveFile, record: EntryRecord): ZipError {
  return damagedEntry(file.path, record.name, 'its size is not the declared one')
}
