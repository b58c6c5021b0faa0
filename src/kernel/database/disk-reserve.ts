import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeSync
} from 'node:fs'
import { dirname } from 'node:path'

const RESERVE_BYTES = 2 * 1024 * 1024
/** The file is filled only if several times its size is free. */
const FREE_FACTOR = 3
/** Time between two attempts to fill the file again. */
const RETRY_MS = 1_000

/**
 * A file that is emptied when the disk is full, because deleting records needs some space too.
 * While it is empty, also after a restart, only writes that free space are allowed.
 */
export interface DiskReserve {
  readonly isReleased: boolean
  /** Empties the file; false if it was not filled. */
  release: () => boolean
  /** Fills the file if the disk has space; true if it is filled. */
  restore: () => boolean
}

export function openDiskReserve(file: string, warn: (text: string) => void): DiskReserve {
  const size = statSync(file, { throwIfNoEntry: false })?.size
  const folder = dirname(file)
  let isFilled = size === RESERVE_BYTES
  let isReleased = size !== undefined && !isFilled
  let triedAt = Number.NEGATIVE_INFINITY

  function restore(): boolean {
    if (isFilled) return true
    if (performance.now() - triedAt < RETRY_MS || !hasSpace(folder)) return false
    triedAt = performance.now()
    isFilled = fill(file)
    if (!isFilled && isReleased) truncateSync(file)
    else if (!isFilled) rmSync(file, { force: true })
    else if (isReleased) warn(`The disk of ${folder} has space again, all writes are accepted`)
    if (isFilled) isReleased = false
    return isFilled
  }

  restore()
  if (isReleased) warn(describeFullDisk(folder))
  return {
    get isReleased() {
      return isReleased
    },
    release() {
      if (!isFilled) return false
      truncateSync(file)
      isFilled = false
      isReleased = true
      warn(describeFullDisk(folder))
      return true
    },
    restore
  }
}

function describeFullDisk(folder: string): string {
  return (
    `The disk of ${folder} is full: a reserve of ${RESERVE_BYTES / 1024 / 1024} MB is used to ` +
    'delete data, other writes are answered with 507 until there is space'
  )
}

function hasSpace(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= FREE_FACTOR * RESERVE_BYTES
  } catch {
    return false
  }
}

/** False if it cannot be written; a quota may be smaller than the free space. */
function fill(file: string): boolean {
  try {
    const descriptor = openSync(file, 'w', 0o600)
    try {
      // A file system that compresses files would need no space for equal bytes.
      const written = writeSync(descriptor, randomBytes(RESERVE_BYTES))
      fsyncSync(descriptor)
      return written === RESERVE_BYTES
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return false
  }
}
