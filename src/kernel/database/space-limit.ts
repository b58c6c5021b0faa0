import type { DiskReserve } from './disk-reserve.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** Pages that the file may grow by while the disk is full, because a deletion is logged. */
const SPARE_PAGES = 64
/** Free pages inside the file from which on all writes are allowed; those after a deletion. */
const MIN_FREE_PAGES = 2 * SPARE_PAGES
const MAX_PAGES = 4_294_967_294
/** Pages of the log that are merged into the file at once; SQLite's default and while it is full. */
const MERGE_PAGES = 1_000
const MERGE_PAGES_WHEN_FULL = 50

/** What may be written to a file while the disk is full. */
export interface SpaceLimit {
  isActive: () => boolean
  /** Whether a write is allowed now; `frees` if it deletes data. */
  allows: (frees: boolean) => boolean
  /** Empties the reserve; false if it does not exist or was not filled. */
  release: () => boolean
}

export function createSpaceLimit(
  { raw }: SqliteConnection,
  reserve: DiskReserve | undefined
): SpaceLimit {
  let isLimited = false

  function limit(): void {
    if (isLimited) return
    isLimited = true
    raw.exec(`pragma max_page_count = ${count('page_count') + SPARE_PAGES};
      pragma wal_autocheckpoint = ${MERGE_PAGES_WHEN_FULL}`)
  }

  function lift(): void {
    if (!isLimited) return
    isLimited = false
    raw.exec(`pragma max_page_count = ${MAX_PAGES}; pragma wal_autocheckpoint = ${MERGE_PAGES}`)
  }

  function count(name: 'page_count' | 'freelist_count'): number {
    return Number(raw.prepare(`pragma ${name}`).get()?.[name])
  }

  return {
    isActive: () => isLimited || reserve?.isReleased === true,
    allows(frees) {
      if (reserve?.isReleased !== true || reserve.restore()) {
        lift()
        return true
      }
      limit()
      return frees || count('freelist_count') >= MIN_FREE_PAGES
    },
    release() {
      if (reserve?.release() !== true) return false
      limit()
      return true
    }
  }
}
