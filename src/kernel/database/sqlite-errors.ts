import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { UserError } from '../errors.ts'
import {
  StorageDamaged,
  StorageFull,
  StorageUnavailable,
  StorageUnwritable,
  UniqueViolation
} from './errors.ts'

const BUSY = 5
const READ_ONLY = 8
const IO_ERROR = 10
const CORRUPT = 11
const FULL = 13
const CANNOT_OPEN = 14
const NOT_A_DATABASE = 26
const CONSTRAINT_PRIMARY_KEY = 1555
const CONSTRAINT_UNIQUE = 2067
const CONSTRAINT_ROWID = 2579
/** I/O errors of write, fsync, truncate and of making the shared memory larger or mapping it. */
const FULL_IO_ERRORS = [778, 1034, 1290, 1546, 4874, 5386]

/**
 * Maps driver errors of a file to errors common to both engines; others are returned unchanged.
 */
export function translateSqliteError(error: unknown, file: string): unknown {
  const code = codeOf(error)
  switch (code) {
    case CONSTRAINT_PRIMARY_KEY:
    case CONSTRAINT_UNIQUE:
    case CONSTRAINT_ROWID:
      return new UniqueViolation((error as Error).message, { cause: error })
  }
  if (isStorageFull(error)) {
    return isWritable(file)
      ? new StorageFull({ cause: error })
      : new StorageUnwritable({ cause: error })
  }
  switch (code & 0xff) {
    case BUSY:
    case IO_ERROR:
      return new StorageUnavailable({ cause: error })
    case CORRUPT:
    case NOT_A_DATABASE:
      return new StorageDamaged({ cause: error })
    case READ_ONLY:
    case CANNOT_OPEN:
      return new StorageUnwritable({ cause: error })
  }
  return error
}

/** A full disk is reported by one of two codes, depending on which file could not grow. */
export function isStorageFull(error: unknown): boolean {
  const code = codeOf(error)
  return (code & 0xff) === FULL || FULL_IO_ERRORS.includes(code)
}

/** Also if a file of the file system could not be written, and if it is the cause of `error`. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as NodeJS.ErrnoException
  return isStorageFull(error) || code === 'ENOSPC' || code === 'EDQUOT' || isDiskFull(error.cause)
}

/** False if the disk was mounted read-only, which the system does after errors of the disk. */
function isWritable(file: string): boolean {
  try {
    accessSync(dirname(file), constants.W_OK)
    return true
  } catch {
    return false
  }
}

export function isBusy(error: unknown): boolean {
  return (codeOf(error) & 0xff) === BUSY
}

export function isDamage(error: unknown): boolean {
  return [CORRUPT, NOT_A_DATABASE].includes(codeOf(error) & 0xff)
}

function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
}

/** Runs `work` on the file; an error of the file becomes a sentence for the user. */
export function explainFileErrors<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw explainFileError(file, error)
  }
}

export function explainFileError(file: string, error: unknown): unknown {
  const text = describeFileError(file, error)
  return text === undefined ? error : new UserError(text, { cause: error })
}

/** One sentence about what is wrong with the file and what to do; undefined for other errors. */
export function describeFileError(file: string, error: unknown): string | undefined {
  if (isDiskFull(error) && isWritable(file))
    return `Cannot use ${file}: the disk is full; free some space`
  if (isDamage(error)) return describeDamage(file, (error as Error).message)
  const primary = codeOf(error) & 0xff
  const isUnwritable = [READ_ONLY, CANNOT_OPEN].includes(primary) || isSystemError(error)
  if (!isUnwritable && primary !== IO_ERROR) return undefined
  const remedy = isUnwritable || !isWritable(file) ? PERMISSIONS : 'check the disk'
  return `Cannot use ${file}: ${(error as Error).message}; ${remedy.replace('%', dirname(file))}`
}

const PERMISSIONS =
  'let this user read and write it and its folder %, or choose another with --data'

export function describeDamage(file: string, problem: string): string {
  return (
    `${file} is damaged (${problem}): move it away and restore a backup with nonet restore, ` +
    'or choose another folder with --data'
  )
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
