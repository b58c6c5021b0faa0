import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { UserError } from '../errors.ts'
import { headerProblem } from './check-headers.ts'
import { createRowCheck } from './check-rows.ts'
import {
  type BackupRow,
  type BackupTable,
  decodeRow,
  encodeRow,
  inBatches,
  type ServiceBackup,
  type TableHeader
} from './portable.ts'

/** Increased when the meaning of a line in the file changes. */
const FORMAT = 1

interface Preamble {
  'nonet-backup': number
  nonet: string
  created: string
}

/** The file has another name until it is complete, so that no partial backup is ever restored. */
export async function writeArchive(
  file: string,
  tables: AsyncIterable<BackupTable>,
  { version, now, progress }: { version: string; now: Date; progress: (rows: number) => void }
): Promise<void> {
  const partial = `${file}.partial`
  const preamble = { 'nonet-backup': FORMAT, nonet: version, created: now.toISOString() }
  try {
    const target = createWriteStream(partial, { mode: 0o600, flush: true })
    await pipeline(withChecksum(linesOf(preamble, tables, progress)), createGzip(), target)
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

async function* linesOf(
  preamble: Preamble,
  tables: AsyncIterable<BackupTable>,
  progress: (rows: number) => void
): AsyncGenerator<string> {
  yield `${JSON.stringify(preamble)}\n`
  for await (const { read, service, step, table, columns, rows } of tables) {
    yield `${JSON.stringify({ service, step, table, columns, rows })}\n`
    for await (const some of read()) {
      yield some.map((row) => `${encodeRow(row)}\n`).join('')
      progress(some.length)
    }
  }
}

async function* withChecksum(texts: AsyncIterable<string>): AsyncGenerator<string> {
  const hash = createHash('sha256')
  for await (const text of texts) {
    hash.update(text)
    yield text
  }
  yield `${JSON.stringify({ sha256: hash.digest('hex') })}\n`
}

/** The table headers of a complete, valid file; throws `UserError` for any other file. */
export async function checkArchive(
  file: string,
  services: readonly ServiceBackup[]
): Promise<readonly TableHeader[]> {
  const hash = createHash('sha256')
  const rows = createRowCheck()
  let previous: string | undefined
  let isFirst = true
  for await (const line of readLines(file)) {
    if (previous === undefined) checkPreamble(file, line)
    else {
      hash.update(`${previous}\n`)
      if (!isFirst) rows.add(previous)
      isFirst = false
    }
    previous = line
  }
  if (previous !== JSON.stringify({ sha256: hash.digest('hex') })) {
    throw damaged(file, 'its checksum does not match')
  }
  const problem = rows.problem() ?? headerProblem(rows.headers, services)
  if (problem !== undefined) throw damaged(file, problem)
  return rows.headers
}

function checkPreamble(file: string, line: string): void {
  const format = /^\{"nonet-backup":(\d+),/.exec(line)?.[1]
  if (format === undefined) throw damaged(file, 'it is not a nonet backup')
  if (Number(format) > FORMAT) throw damaged(file, 'it was made by a newer version of nonet')
}

/** Requires `checkArchive` first. Each table must be read to its end before the next one. */
export async function* readArchive(file: string): AsyncGenerator<BackupTable> {
  const lines = readLines(file)
  await lines.next()
  for (;;) {
    const { value, done } = await lines.next()
    if (done || !value.startsWith('{"service"')) return
    const head: TableHeader = JSON.parse(value)
    yield { ...head, read: () => readRows(lines, head.rows) }
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
