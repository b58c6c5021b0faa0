import { createHash } from 'node:crypto'
import type { Migration } from '../database/database.ts'
import type { SqlValue } from '../database/transaction.ts'
import type { Service } from '../service.ts'

/** The parts of a service that describe its tables. */
export type ServiceBackup = Pick<Service, 'name' | 'derived' | 'hasFiles'> & {
  migrations: readonly Migration[]
}

export type BackupRow = readonly SqlValue[]

/** One table of a backup; `columns` are the names of the cells of each row. */
export interface TableHeader {
  service: string
  /** Schema version of the data: the number of migrations applied to it. */
  step: number
  table: string
  columns: readonly string[]
  rows: number
}

export interface BackupTable extends TableHeader {
  /** Yields the rows in batches, in no particular order. */
  read: () => AsyncIterable<readonly BackupRow[]>
}

/** One file of a service, under the SHA-256 of its content. */
export interface FileHeader {
  file: string
  service: string
  size: number
}

export interface BackupFile extends FileHeader {
  read: () => AsyncIterable<Uint8Array>
}

/** What a backup contains; the tables are read before the files. */
export interface ArchiveContent {
  tables: AsyncIterable<BackupTable>
  /** Undefined if no service has files. */
  files: AsyncIterable<BackupFile> | undefined
}

const MAX_ROWS = 256
const MAX_CHARACTERS = 4_000_000

/** Splits rows into batches that are limited in number and size. */
export function* inBatches(rows: Iterable<BackupRow>): Generator<readonly BackupRow[]> {
  let some: BackupRow[] = []
  let size = 0
  for (const row of rows) {
    some.push(row)
    for (const cell of row)
      size += typeof cell === 'object' || typeof cell === 'string' ? (cell?.length ?? 0) : 0
    if (some.length < MAX_ROWS && size < MAX_CHARACTERS) continue
    yield some
    some = []
    size = 0
  }
  if (some.length > 0) yield some
}

/** JSON, with objects for bytes and for numbers that JSON cannot represent. */
export function encodeRow(row: BackupRow): string {
  return JSON.stringify(row.map(encodeCell))
}

function encodeCell(cell: SqlValue): unknown {
  if (cell instanceof Uint8Array) {
    return { base64: Buffer.from(cell.buffer, cell.byteOffset, cell.length).toString('base64') }
  }
  const plain = typeof cell !== 'number' || (Number.isFinite(cell) && !Object.is(cell, -0))
  return plain ? cell : { number: Object.is(cell, -0) ? '-0' : String(cell) }
}

export function decodeRow(line: string): BackupRow {
  return (JSON.parse(line) as unknown[]).map(decodeCell)
}

function decodeCell(cell: unknown): SqlValue {
  if (typeof cell !== 'object' || cell === null) return cell as SqlValue
  if ('base64' in cell) return new Uint8Array(Buffer.from(String(cell.base64), 'base64'))
  return Number((cell as { number: string }).number)
}

/** Count of the rows and sum of their hashes; equal for equal rows in any order. */
export interface Digest {
  add: (rows: readonly BackupRow[]) => void
  value: () => string
}

export function createDigest(): Digest {
  let count = 0
  let sum = 0n
  return {
    add(rows) {
      for (const row of rows) {
        const hash = createHash('sha256').update(encodeRow(row)).digest()
        sum = BigInt.asUintN(64, sum + hash.readBigUInt64LE())
        count += 1
      }
    },
    value: () => `${count}:${sum.toString(16)}`
  }
}
