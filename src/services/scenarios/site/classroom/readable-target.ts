/** Decoded, these would look like parts of the URL that they are not. */
const KEPT = /[%&#+?\p{C}\p{Z}]/u

/**
 * Path and query for people: `?scenario=status%3A503` is shown as `?scenario=status:503`. What is
 * not UTF-8, not visible, or would change the meaning, stays encoded.
 */
export function readableTarget(target: string): string {
  return target.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return [...decodeURIComponent(run)]
        .map((character) => (KEPT.test(character) ? encodeURIComponent(character) : character))
        .join('')
    } catch {
      return run
    }
  })
}
