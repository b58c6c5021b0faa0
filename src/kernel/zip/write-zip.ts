import { pipeline } from 'node:stream'
import { promisify } from 'node:util'
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib'
import { nameProblem } from './entry-name.ts'
import { DEFLATED, STORED } from './read-entry.ts'
import {
  centralRecord,
  dataDescriptor,
  directoryEnd,
  localHeader,
  type WrittenEntry
} from './records.ts'
import { quoteName, ZipError } from './zip-error.ts'

const deflateBytes = promisify(deflateRaw)

/** Larger contents are written like a stream. */
const MAX_WHOLE_BYTES = 1024 * 1024
const BLOCK_BYTES = 64 * 1024
const RECORDS_PER_BLOCK = 500
const MAX_NAME_BYTES = 0xffff

/** A file to write. */
export interface ZipSource {
  /** A relative path with slashes. */
  readonly name: string
  readonly modified: Date
  /** Read when the entry is written. */
  readonly content: Uint8Array | AsyncIterable<Uint8Array>
  /** Without compression, for contents that are compressed already. */
  readonly stored?: boolean
}

/**
 * The bytes of an archive, written as they are consumed; only the list of entries is kept in
 * memory. The same sources give the same bytes.
 */
export async function* writeZip(
  sources: AsyncIterable<ZipSource> | Iterable<ZipSource>
): AsyncGenerator<Buffer, void, void> {
  yield* inBlocks(writeArchive(sources))
}

async function* writeArchive(
  sources: AsyncIterable<ZipSource> | Iterable<ZipSource>
): AsyncGenerator<Uint8Array, void, void> {
  const names = new Set<string>()
  const written: WrittenEntry[] = []
  let position = 0
  for await (const source of sources) {
    checkName(source.name, names)
    const entry = yield* writeEntry(source, position)
    written.push(entry)
    position = entry.end
  }
  const start = position
  for (let index = 0; index < written.length; index += RECORDS_PER_BLOCK) {
    const some = written.slice(index, index + RECORDS_PER_BLOCK)
    const records = Buffer.concat(some.map(centralRecord))
    position += records.length
    yield records
  }
  yield directoryEnd(written.length, start, position - start)
}

function checkName(name: string, names: Set<string>): void {
  const isLong = Buffer.byteLength(name) > MAX_NAME_BYTES
  const isFolder = name.endsWith('/')
  let problem = isLong ? `is longer than ${MAX_NAME_BYTES} bytes` : nameProblem(name)
  if (isFolder) problem ??= 'is the name of a folder'
  if (names.has(name)) problem ??= 'is used twice'
  if (problem !== undefined) {
    const text = `Cannot write a zip archive: the name ${quoteName(name)} ${problem}`
    throw new ZipError('name', text, { entry: name })
  }
  names.add(name)
}

async function* writeEntry(
  source: ZipSource,
  offset: number
): AsyncGenerator<Uint8Array, WrittenEntry, void> {
  const { content } = source
  const isWhole = content instanceof Uint8Array && content.length <= MAX_WHOLE_BYTES
  if (!isWhole) return yield* writeStream(source, offset)
  const { entry, bytes } = await encodeWhole(source, content, offset)
  yield bytes
  return entry
}

/** Sizes are known before the data, so that the entry needs no descriptor. */
async function encodeWhole(
  source: ZipSource,
  content: Uint8Array,
  offset: number
): Promise<{ entry: WrittenEntry; bytes: Buffer }> {
  const data = source.stored ? content : await deflateBytes(content)
  const entry: WrittenEntry = {
    ...describe(source, offset, false),
    crc: crc32(content),
    size: content.length,
    compressedSize: data.length,
    end: offset
  }
  const bytes = Buffer.concat([localHeader(entry), data])
  entry.end += bytes.length
  return { entry, bytes }
}

async function* writeStream(
  source: ZipSource,
  offset: number
): AsyncGenerator<Uint8Array, WrittenEntry, void> {
  const unknown = { crc: 0, size: 0, compressedSize: 0, end: offset }
  const entry: WrittenEntry = { ...describe(source, offset, true), ...unknown }
  const header = localHeader(entry)
  yield header
  const content = measure(toIterable(source.content), entry)
  for await (const chunk of source.stored ? content : deflate(content)) {
    entry.compressedSize += chunk.length
    yield chunk
  }
  const descriptor = dataDescriptor(entry)
  yield descriptor
  entry.end = offset + header.length + entry.compressedSize + descriptor.length
  return entry
}

function describe({ name, modified, stored }: ZipSource, offset: number, hasDescriptor: boolean) {
  const method = stored ? STORED : DEFLATED
  return { name, modified, method, hasDescriptor, offset }
}

async function* toIterable(
  content: Uint8Array | AsyncIterable<Uint8Array>
): AsyncGenerator<Uint8Array, void, void> {
  if (content instanceof Uint8Array) yield content
  else yield* content
}

async function* measure(
  content: AsyncIterable<Uint8Array>,
  entry: WrittenEntry
): AsyncGenerator<Uint8Array, void, void> {
  for await (const chunk of content) {
    entry.size += chunk.length
    entry.crc = crc32(chunk, entry.crc)
    yield chunk
  }
}

async function* deflate(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, void> {
  const deflated = createDeflateRaw({ chunkSize: BLOCK_BYTES })
  // Errors of the content reach the consumer through the destroyed stream.
  pipeline(content, deflated, () => undefined)
  yield* deflated
}

/** Joins short parts, because each chunk costs the target a call. */
async function* inBlocks(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, void> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const part of parts) {
    waiting.push(part)
    length += part.length
    if (length < BLOCK_BYTES) continue
    yield Buffer.concat(waiting, length)
    waiting = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(waiting, length)
}
