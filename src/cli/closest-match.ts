const MAX_DISTANCE = 3
const MIN_BEGINNING = 4

/** The most similar of the words; undefined if none is similar enough. */
export function closestMatch(word: string, words: Iterable<string>): string | undefined {
  const candidates = [...words]
  let best: string | undefined
  let bestDistance = Math.min(MAX_DISTANCE, Math.ceil(word.length / 2)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(word, candidate)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best ?? candidates.find((candidate) => isBeginning(word, candidate))
}

/** `verbose` is meant as `verboseLevel`, and `report-file` as `report`. */
function isBeginning(word: string, candidate: string): boolean {
  const [short, long] = [word, candidate].sort((one, other) => one.length - other.length)
  return short !== undefined && short.length >= MIN_BEGINNING && long?.startsWith(short) === true
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const swap = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
