import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { pipeline as pipe } from 'node:stream/promises'
import { constants, createGzip, type ZlibOptions } from 'node:zlib'
import { encodeContent } from './check-files.ts'
import { type ArchiveContent, type BackupFile, encodeRow } from './portable.ts'

/** Increased when the meaning of a line in the file changes; 2 added files to the tables. */
export const FORMAT = 2
/** Older versions of nonet can read a backup without files. */
const FORMAT_WITHOUT_FILES = 1
/**
 * Images and videos are compressed already: to look for repetitions in them takes five times the
 * CPU and saves nothing.
 */
const FILE_COMPRESSION = { level: constants.Z_BEST_SPEED, strategy: constants.Z_HUFFMAN_ONLY }

interface WriteOptions {
  version: string
  now: Date
  /** Called with the number of rows and files that were written. */
  progress: (count: number) => void
}

/** The file has another name until it is complete, so that no partial backup is ever restored. */
export async function writeArchive(
  file: string,
  content: ArchiveContent,
  options: WriteOptions
): Promise<void> {
  const partial = `${file}.partial`
  try {
    const target = createWriteStream(partial, { mode: 0o600, flush: true })
    await pipe(archiveBytes(content, options), target)
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** Tables and files are two members of the gzip file, which `gunzip` joins. */
async function* archiveBytes(
  content: ArchiveContent,
  options: WriteOptions
): AsyncGenerator<Uint8Array> {
  const { files } = content
  const hash = createHash('sha256')

  async function* hashed(texts: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const text of texts) {
      hash.update(text)
      yield text
    }
  }

  async function* withChecksum(texts: AsyncIterable<string>): AsyncGenerator<string> {
    yield* hashed(texts)
    yield `${JSON.stringify({ sha256: hash.digest('hex') })}\n`
  }

  const tableLines = linesOfTables(content, options)
  if (files === undefined) yield* compress(withChecksum(tableLines))
  else {
    yield* compress(hashed(tableLines))
    yield* compress(withChecksum(linesOfFiles(files, options)), FILE_COMPRESSION)
  }
}

/** An error of the texts is also thrown by the stream that is read here. */
async function* compress(
  texts: AsyncIterable<string>,
  options: ZlibOptions = {}
): AsyncGenerator<Uint8Array> {
  yield* pipeline(texts, createGzip(options), () => {})
}

async function* linesOfTables(
  { tables, files }: ArchiveContent,
  { version, now, progress }: WriteOptions
): AsyncGenerator<string> {
  const format = files === undefined ? FORMAT_WITHOUT_FILES : FORMAT
  const preamble = { 'nonet-backup': format, nonet: version, created: now.toISOString() }
  yield `${JSON.stringify(preamble)}\n`
  for await (const { read, service, step, table, columns, rows } of tables) {
    yield `${JSON.stringify({ service, step, table, columns, rows })}\n`
    for await (const some of read()) {
      yield some.map((row) => `${encodeRow(row)}\n`).join('')
      progress(some.length)
    }
  }
}

async function* linesOfFiles(
  files: AsyncIterable<BackupFile>,
  { progress }: WriteOptions
): AsyncGenerator<string> {
  for await (const { read, file, service, size } of files) {
    yield `${JSON.stringify({ file, service, size })}\n`
    for await (const bytes of read()) yield `${encodeContent(bytes)}\n`
    progress(1)
  }
}
