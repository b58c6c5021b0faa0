/** What this process knows of a box it created records in. */
export interface KnownBox {
  /** When its newest record was created; the next one is not older. */
  last: number
  /** Set once the box is known to be public and without rules of its own. */
  plainPk: number | undefined
}

/** Beyond it the box that came first is looked up again. */
const MAX_BOXES = 10_000

/**
 * The insert itself asks whether the box is still there and still plain, and its number is never
 * given to another: so `plainPk` cannot mislead, however many processes share the database.
 * Whether a key opens a protected box is asked of the database each time.
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
      const box = { last, plainPk: undefined }
      boxes.set(id, box)
      return box
    },
    clear: () => boxes.clear()
  }
}
