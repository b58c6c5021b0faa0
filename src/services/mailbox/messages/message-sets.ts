/** Servers accept lines of at least 8000 bytes. */
const MAX_CHARACTERS = 4000

/** Some UIDs, and how a command names them: `1:3,7`. */
export interface MessageSet {
  readonly text: string
  readonly uids: readonly number[]
}

/** How a command names sorted numbers: `1:3,7`. */
export function setOf(numbers: readonly number[]): string {
  return [...rangesOf(numbers)].map(nameOf).join(',')
}

/** Sets of sorted UIDs that fit into a command each. */
export function* messageSets(uids: readonly number[]): Generator<MessageSet> {
  let text = ''
  let part: number[] = []
  for (const range of rangesOf(uids)) {
    const name = nameOf(range)
    if (text.length + 1 + name.length > MAX_CHARACTERS) {
      yield { text, uids: part }
      text = ''
      part = []
    }
    text = text === '' ? name : `${text},${name}`
    for (const uid of range) part.push(uid)
  }
  if (text !== '') yield { text, uids: part }
}

function nameOf(range: readonly number[]): string {
  const [first = 0] = range
  const last = range.at(-1) ?? first
  return first === last ? String(first) : `${first}:${last}`
}

/** Runs of numbers without a gap. */
function* rangesOf(uids: readonly number[]): Generator<number[]> {
  let range: number[] = []
  for (const uid of uids) {
    const last = range.at(-1)
    if (last !== undefined && uid !== last + 1) {
      yield range
      range = []
    }
    range.push(uid)
  }
  if (range.length > 0) yield range
}
