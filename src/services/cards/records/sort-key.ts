const PER_MILLISECOND = 1_000_000n
/** Two processes seldom start at the same number of a millisecond. */
const RANDOM_START = 900_000
const DIGITS = 19

/**
 * Sort keys of 19 digits: the millisecond of creation and six digits that start at random. They
 * increase in a process, also while its clock is set back.
 */
export function createSortKeyGenerator(now: () => Date, random: () => number): () => string {
  let last = 0n
  return function nextSortKey() {
    const start = BigInt(now().getTime()) * PER_MILLISECOND
    const key = start + BigInt(Math.floor(random() * RANDOM_START))
    last = last >= start ? last + 1n : key
    return String(last).padStart(DIGITS, '0')
  }
}
