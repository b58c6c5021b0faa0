import type { Readable } from 'node:stream'

/** First and last byte, both included. */
export interface ByteRange {
  start: number
  end: number
}

export interface OpenedFile {
  /** Of the whole file, also if a range was asked for. */
  size: number
  stream: Readable
}

/** A file whose hash is not known yet; it is not visible under any hash until `finish`. */
export interface PartialFile {
  write: (bytes: Uint8Array) => Promise<void>
  /**
   * Makes the file visible under its hash, durably. A file that is stored there already is kept
   * and gets the time of now.
   */
  finish: (hash: string) => Promise<void>
  /** Deletes what was written; does nothing after `finish`. */
  discard: () => Promise<void>
}

/**
 * Where the files of a service are stored: `folder.ts` or `s3.ts`. Hashes are SHA-256 in lower-case
 * hexadecimal digits; a driver does not check that content and hash agree.
 */
export interface FileDriver {
  /** First digits of hashes that `list` takes, one after the other, to list all files. */
  readonly prefixes: readonly string[]
  begin: () => Promise<PartialFile>
  open: (hash: string, range?: ByteRange) => Promise<OpenedFile | undefined>
  size: (hash: string) => Promise<number | undefined>
  remove: (hash: string) => Promise<void>
  /** Gives the file the time of now; false if it is not stored. */
  touch: (hash: string) => Promise<boolean>
  /**
   * Removes the file unless it was stored or touched after `before` (milliseconds since 1970) or
   * is in use. Resolves to whether it was removed.
   */
  removeUnused: (hash: string, before: number, isInUse: () => Promise<boolean>) => Promise<boolean>
  /** Hashes of the stored files that begin with these digits. */
  list: (prefix: string) => Promise<readonly string[]>
  /** Sizes of the same files by their hashes. */
  sizes: (prefix: string) => Promise<ReadonlyMap<string, number>>
  /** Removes all files of the service, and the id. */
  removeAll: () => Promise<void>
  /** Number of files that a killed process has left incomplete, last changed before that time. */
  countLeftovers: (before: number) => Promise<number>
  /** Removes them and brings back files whose removal was interrupted. */
  removeLeftovers: (before: number) => Promise<number>
  /** Random id that tells this location from others; undefined if `createId` was not called. */
  id: () => Promise<string | undefined>
  /** Resolves to the id that the location has, which another process may have created. */
  createId: () => Promise<string>
  /** Closes connections. */
  close: () => Promise<void>
}

const HASH = /^[0-9a-f]{64}$/

export function isHash(text: string): boolean {
  return HASH.test(text)
}

/** All first two digits of hashes. */
export const PREFIXES: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0')
)
