const MAX_DISTANCE = 3

/** The most similar of the words; undefined if none is similar enough. */
export function closestMatch(word: string, words: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestDistance = Math.min(MAX_DISTANCE, Math.ceil(word.length / 2)) + 1
  for (const candidate of words) {
    const distance = editDistance(word, candidate)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
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
