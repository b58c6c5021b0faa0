import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { UserError } from '../errors.ts'
import { createFileCheck, decodeContent, isFileLine } from './check-files.ts'
import { headerProblem } from './check-headers.ts'
import { createRowCheck } from './check-rows.ts'
import {
  type ArchiveContent,
  type BackupFile,
  type BackupRow,
  type BackupTable,
  decodeRow,
  type FileHeader,
  inBatches,
  type ServiceBackup,
  type TableHeader
} from './portable.ts'
import { FORMAT } from './write-archive.ts'

export interface CheckedArchive {
  headers: readonly TableHeader[]
  files: number
}

/** What a complete, valid file contains; throws `UserError` for any other file. */
export async function checkArchive(
  file: string,
  services: readonly ServiceBackup[]
): Promise<CheckedArchive> {
  const hash = createHash('sha256')
  const rows = createRowCheck()
  const files = createFileCheck()
  let previous: string | undefined
  let isFirst = true

  /** Files follow the tables, and nothing follows the files. */
  function addLine(line: string): void {
    if (rows.isBetweenTables() && (files.count() > 0 || isFileLine(line))) files.add(line)
    else rows.add(line)
  }

  for await (const line of readLines(file)) {
    if (previous === undefined) checkPreamble(file, line)
    else {
      hash.update(`${previous}\n`)
      if (!isFirst) addLine(previous)
      isFirst = false
    }
    previous = line
  }
  if (previous !== JSON.stringify({ sha256: hash.digest('hex') })) {
    throw damaged(file, 'its checksum does not match')
  }
  const problem =
    rows.problem() ?? headerProblem(rows.headers, services) ?? files.problem(rows.headers, services)
  if (problem !== undefined) throw damaged(file, problem)
  return { headers: rows.headers, files: files.count() }
}

function checkPreamble(file: string, line: string): void {
  const format = /^\{"nonet-backup":(\d+),/.exec(line)?.[1]
  if (format === undefined) throw damaged(file, 'it is not a nonet backup')
  if (Number(format) > FORMAT) throw damaged(file, 'it was made by a newer version of nonet')
}

/**
 * Requires `checkArchive` first. The tables have to be read before the files, and each table and
 * file to its end before the next one.
 */
export function readArchive(file: string): ArchiveContent {
  const lines = readLines(file)
  let line: IteratorResult<string> | undefined

  async function* tables(): AsyncGenerator<BackupTable> {
    await lines.next()
    for (;;) {
      line = await lines.next()
      if (line.done || !line.value.startsWith('{"service"')) return
      const head: TableHeader = JSON.parse(line.value)
      yield { ...head, read: () => readRows(lines, head.rows) }
    }
  }

  async function* files(): AsyncGenerator<BackupFile> {
    for (; line?.done === false && isFileLine(line.value); line = await lines.next()) {
      const head: FileHeader = JSON.parse(line.value)
      yield { ...head, read: () => readContent(lines, head.size) }
    }
  }

  return { tables: tables(), files: files() }
}

async function* readContent(
  lines: AsyncGenerator<string>,
  size: number
): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; ) {
    const { value, done } = await lines.next()
    if (done) throw new Error('a file ends before its last byte')
    const bytes = decodeContent(value)
    left -= bytes.length
    yield bytes
  }
}

async function* readRows(
  lines: AsyncGenerator<string>,
  count: number
): AsyncGenerator<readonly BackupRow[]> {
  let some: BackupRow[] = []
  for (let left = count; left > 0; left--) {
    const { value, done } = await lines.next()
    if (done) throw new Error('a table ends before its last row')
    some.push(decodeRow(value))
    if (some.length === 100 || left === 1) {
      yield* inBatches(some)
      some = []
    }
  }
}

/** Replaces `readline`, which also splits lines at U+2028, a character JSON does not escape. */
async function* readLines(file: string): AsyncGenerator<string> {
  const source = createReadStream(file)
  const unpacked = createGunzip().setEncoding('utf8')
  source.on('error', (error) => unpacked.destroy(error)).pipe(unpacked)
  let pieces: string[] = []
  try {
    for await (const chunk of unpacked) {
      const [first = '', ...rest] = String(chunk).split('\n')
      pieces.push(first)
      for (const line of rest) {
        yield pieces.join('')
        pieces = [line]
      }
    }
  } catch (cause) {
    throw damaged(file, (cause as Error).message)
  } finally {
    source.destroy()
    unpacked.destroy()
  }
}

function damaged(file: string, reason: string): UserError {
  return new UserError(`Cannot restore from ${file}: ${reason}; nothing was changed`)
}
