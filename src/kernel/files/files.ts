import { createHash } from 'node:crypto'
import { StorageFull } from '../database/errors.ts'
import { isDiskFull } from '../database/sqlite-errors.ts'
import { type ByteRange, type FileDriver, isHash, type OpenedFile } from './driver.ts'

export interface StoredFile {
  /** SHA-256 of the content, in lower-case hexadecimal digits. */
  hash: string
  size: number
}

/**
 * Files of a service, stored under the hash of their content, each content once. A file is kept
 * while rows refer to it (`table.ts`). Without a reference it is removed an hour after it was
 * stored, so a transaction that refers to it must follow within that time.
 */
export interface Files {
  /**
   * Resolves when the file is on the disk. Rejects with `FileTooLarge`, with `StorageFull` or with
   * the error of the source, and then leaves nothing behind.
   */
  put: (source: AsyncIterable<Uint8Array>, options?: PutOptions) => Promise<StoredFile>
  /**
   * Undefined if it is not stored. The stream must be read or destroyed. A range ends with the
   * file at the latest.
   */
  open: (hash: string, range?: ByteRange) => Promise<OpenedFile | undefined>
  /** Undefined if it is not stored. */
  size: (hash: string) => Promise<number | undefined>
  /**
   * Like `size`; the hour without a reference begins anew. For a transaction that refers to a file
   * that was stored earlier.
   */
  keep: (hash: string) => Promise<number | undefined>
  /** Also if rows refer to it; the file may be missing. */
  remove: (hash: string) => Promise<void>
}

export interface PutOptions {
  maxBytes?: number
}

export class FileTooLarge extends Error {
  override name = 'FileTooLarge'
  readonly maxBytes: number
  constructor(maxBytes: number) {
    super(`The file is larger than ${maxBytes} bytes`)
    this.maxBytes = maxBytes
  }
}

export interface FilesOptions {
  /** Whether the disk has only the reserve left, which is kept for deletions. */
  isFull?: () => boolean
}

export function createFiles(
  driver: FileDriver,
  { isFull = () => false }: FilesOptions = {}
): Files {
  return {
    async put(source, { maxBytes = Number.POSITIVE_INFINITY } = {}) {
      if (isFull()) throw new StorageFull()
      try {
        return await store(driver, source, maxBytes)
      } catch (error) {
        throw isDiskFull(error) ? new StorageFull({ cause: error }) : error
      }
    },
    open: async (hash, range) => (isHash(hash) ? driver.open(hash, range) : undefined),
    size: async (hash) => (isHash(hash) ? driver.size(hash) : undefined),
    async keep(hash) {
      const isStored = isHash(hash) && (await driver.touch(hash))
      return isStored ? driver.size(hash) : undefined
    },
    remove: driver.remove
  }
}

async function store(
  driver: FileDriver,
  source: AsyncIterable<Uint8Array>,
  maxBytes: number
): Promise<StoredFile> {
  const digest = createHash('sha256')
  let size = 0
  const partial = await driver.begin()
  try {
    for await (const chunk of source) {
      size += chunk.length
      if (size > maxBytes) throw new FileTooLarge(maxBytes)
      digest.update(chunk)
      await partial.write(chunk)
    }
    const hash = digest.digest('hex')
    await partial.finish(hash)
    return { hash, size }
  } catch (error) {
    await partial.discard()
    throw error
  }
}
