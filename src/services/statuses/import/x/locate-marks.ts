import type { Mark } from './marks.ts'

/** A mark and where its word really is, in code points. */
export interface LocatedMark extends Mark {
  start: number
  end: number
}

const WORD_CHARACTER = /[\p{L}\p{N}\p{M}_]/u

/**
 * Positions in archives are sometimes wrong, most often in reposts that were cut. A mark whose word
 * is elsewhere moves there; one whose word is not in the text is omitted. Marks do not overlap.
 */
export function locateMarks(characters: readonly string[], marks: readonly Mark[]): LocatedMark[] {
  const located: LocatedMark[] = []
  const isFree = (start: number, end: number) =>
    located.every((other) => end <= other.start || start >= other.end)
  const elsewhere: Mark[] = []
  for (const mark of marks) {
    const { start } = mark
    const end = start === undefined ? undefined : endOfWord(characters, mark, start)
    if (start === undefined || end === undefined) elsewhere.push(mark)
    else if (isFree(start, end)) located.push({ ...mark, start, end })
  }
  for (const mark of elsewhere) {
    const found = search(characters, mark, isFree)
    if (found !== undefined) located.push(found)
  }
  return located.sort((one, other) => one.start - other.start)
}

/** Undefined if the word of the mark is not at this position. */
function endOfWord(
  characters: readonly string[],
  { signs, word }: Mark,
  start: number
): number | undefined {
  const hasSign = signs !== ''
  if (hasSign && !signs.includes(characters[start] || ' ')) return undefined
  const from = hasSign ? start + 1 : start
  const letters = Array.from(word)
  const end = from + letters.length
  if (end > characters.length) return undefined
  const found = characters.slice(from, end).join('')
  const isSame = hasSign ? found.toLowerCase() === word.toLowerCase() : found === word
  return isSame ? end : undefined
}

function search(
  characters: readonly string[],
  mark: Mark,
  isFree: (start: number, end: number) => boolean
): LocatedMark | undefined {
  for (let start = 0; start < characters.length; start++) {
    const end = endOfWord(characters, mark, start)
    if (end === undefined || !isFree(start, end)) continue
    // "#a" is not the beginning of "#ab", and "a@b" is no mention.
    const before = characters[start - 1] ?? ' '
    const after = characters[end] ?? ' '
    const isWhole = !WORD_CHARACTER.test(after) && !WORD_CHARACTER.test(before)
    if (isWhole) return { ...mark, start, end }
  }
  return undefined
}
