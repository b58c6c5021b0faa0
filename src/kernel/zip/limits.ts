import { quoteName, ZipError } from './zip-error.ts'

const MIB = 1024 ** 2
const GIB = 1024 ** 3

/** Entries that are not read count only for `entries`, `directoryBytes` and `nameBytes`. */
export interface ZipLimits {
  /** Number of entries, folders included. */
  readonly entries: number
  /** Bytes of the central directory, the list of entries at the end of the archive. */
  readonly directoryBytes: number
  /** Bytes of one name. */
  readonly nameBytes: number
  /** Uncompressed bytes of one entry. */
  readonly entryBytes: number
  /** Uncompressed bytes of all reads together. */
  readonly totalBytes: number
  /** Uncompressed bytes per compressed byte. */
  readonly ratio: number
  /** The ratio is not checked before an entry has produced more bytes than this. */
  readonly ratioFromBytes: number
}

/** Text compresses to a tenth; deflate ends at 1,032 bytes per byte, which only bombs reach. */
export const DEFAULT_ZIP_LIMITS: ZipLimits = {
  entries: 500_000,
  directoryBytes: 128 * MIB,
  nameBytes: 1024,
  entryBytes: 4 * GIB,
  totalBytes: 64 * GIB,
  ratio: 250,
  ratioFromBytes: 16 * MIB
}

/** Counts the bytes of all reads of one archive. */
export class ReadBudget {
  readonly #archive: string
  readonly #limits: ZipLimits
  #total = 0

  constructor(archive: string, limits: ZipLimits) {
    this.#archive = archive
    this.#limits = limits
  }

  /** Checks the size that the archive declares, before anything is read. */
  checkDeclared(entry: string, size: number, compressedSize: number): void {
    const { entryBytes, totalBytes } = this.#limits
    if (size > entryBytes) throw this.#tooLarge(entry, entryBytes)
    if (this.#total + size > totalBytes) throw this.#tooMuch(totalBytes)
    this.checkRatio(entry, size, compressedSize)
  }

  /** Checks what was really read so far, because a declared size may be wrong. */
  checkRatio(entry: string, produced: number, consumed: number): void {
    const { ratio, ratioFromBytes } = this.#limits
    if (produced <= ratioFromBytes || produced <= ratio * consumed) return
    const text = `The entry ${quoteName(entry)} of ${this.#archive} expands to more than ${ratio} times its compressed size; remove it from the archive`
    throw new ZipError('limit', text, { entry })
  }

  add(bytes: number): void {
    this.#total += bytes
    if (this.#total > this.#limits.totalBytes) throw this.#tooMuch(this.#limits.totalBytes)
  }

  #tooLarge(entry: string, limit: number): ZipError {
    const text = `The entry ${quoteName(entry)} of ${this.#archive} is larger than ${limit} bytes uncompressed; remove it from the archive`
    return new ZipError('limit', text, { entry })
  }

  #tooMuch(limit: number): ZipError {
    const text = `The entries of ${this.#archive} are larger than ${limit} bytes together; split the archive into several`
    return new ZipError('limit', text)
  }
}
