/** Cached state of a box in which this process created records. */
export interface KnownBox {
  /** Creation time of the newest record; the next one is not older. */
  last: number
  /** Creation time of the newest record that was acknowledged; the next one is newer. */
  acknowledged: number
  /** Number of the box; set once the box is known to be public and without rules. */
  plainPk: number | undefined
}

/** Called when a write at this time is committed. */
export function acknowledge(box: KnownBox, created: number): void {
  box.acknowledged = Math.max(box.acknowledged, created)
}

/** Beyond this number the oldest entry is evicted. */
const MAX_BOXES = 10_000

/**
 * The insert itself checks that the box still exists and is still plain, and its number is never
 * reused. So a stale `plainPk` is harmless, however many processes share the database.
 * The keys of protected boxes are read from the database each time.
 */
export function createKnownBoxes(maxBoxes = MAX_BOXES) {
  const boxes = new Map<string, KnownBox>()
  return {
    find: (id: string) => boxes.get(id),
    remember(id: string, last: number): KnownBox {
      const known = boxes.get(id)
      if (known !== undefined) return known
      const [oldest] = boxes.keys()
      if (boxes.size >= maxBoxes && oldest !== undefined) boxes.delete(oldest)
      const box = { last, acknowledged: last, plainPk: undefined }
      boxes.set(id, box)
      return box
    },
    clear: () => boxes.clear()
  }
}
