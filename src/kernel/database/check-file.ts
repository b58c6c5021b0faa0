import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { UserError } from '../errors.ts'
import { connectForReading } from './sqlite-connection.ts'
import { describeDamage, explainFileErrors } from './sqlite-errors.ts'

/** Length of the header of an SQLite file, https://sqlite.org/fileformat.html#the_database_header. */
const HEADER_BYTES = 100

/**
 * Throws if the file is damaged, before anything is written to it. Reads the whole file if the last
 * process that used it was killed.
 */
export function checkSqliteFile(file: string): void {
  const size = sizeOf(file)
  if (size === 0) return
  if (hasLog(file)) checkContent(file)
  else checkLength(file, size)
}

/** Only the log of a process that was killed has a length: closing the file removes it. */
export function hasLog(file: string): boolean {
  return sizeOf(`${file}-wal`) > 0
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function checkContent(file: string): void {
  const connection = connectForReading(file)
  try {
    explainFileErrors(file, () => {
      const problem = connection.raw.prepare('pragma quick_check(1)').get()?.quick_check
      if (problem !== 'ok') throw new UserError(describeDamage(file, String(problem).trim()))
    })
  } finally {
    connection.close()
  }
}

function checkLength(file: string, size: number): void {
  const header = explainFileErrors(file, () => readHeader(file))
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  const expected = pageSize * header.readUInt32BE(28)
  // The number of pages is valid only if these two counters agree.
  const isValid = header.readUInt32BE(24) === header.readUInt32BE(92)
  if (!isValid || size >= expected) return
  throw new UserError(describeDamage(file, `${size} of ${expected} bytes`))
}

/** A shorter file is padded; SQLite rejects it. */
function readHeader(file: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, header, 0, HEADER_BYTES, 0)
    return header
  } finally {
    closeSync(descriptor)
  }
}
