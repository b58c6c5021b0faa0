import { EVERY_DOCUMENT, GAP, indexWord, labelWord } from './index-words.ts'
import { MAX_WORDS, words } from './words.ts'

/** PostgreSQL stores at most 255 positions of a word in a document. */
export const MAX_OCCURRENCES = 250

export interface SearchDocument {
  /**
   * 19 decimal digits, at most 9223372036854775807, unique in the table: documents with higher keys
   * are found first.
   */
  sortKey: string
  /** Milliseconds since 1970, which `since:` and `until:` are compared with. */
  time: number
  /** Phrases are not found across the texts. */
  texts: readonly string[]
  /** Values of operators, such as `{ from: ['ada'], has: ['link'] }`. */
  labels?: Readonly<Record<string, readonly string[]>>
}

/**
 * The words of each text, up to the limit of a document. A word that was repeated too often is
 * undefined: it keeps its position but is not found there.
 */
export function documentWords(texts: readonly string[]): (string | undefined)[][] {
  const occurrences = new Map<string, number>()
  let left = MAX_WORDS
  return texts.map((text) => {
    const some = words(text).slice(0, left)
    left -= some.length
    return some.map((word) => {
      const count = (occurrences.get(word) ?? 0) + 1
      occurrences.set(word, count)
      return count > MAX_OCCURRENCES ? undefined : word
    })
  })
}

/** All words of a document as both engines store them, separated by spaces. */
export function indexText({ texts, labels = {} }: SearchDocument): string {
  const parts = documentWords(texts).flatMap((text) => [
    ...text.map((word) => (word === undefined ? GAP : indexWord(word))),
    GAP
  ])
  const labelWords = Object.entries(labels).flatMap(([name, values]) =>
    values.map((value) => labelWord(name, value))
  )
  return [...parts, EVERY_DOCUMENT, ...new Set(labelWords)].join(' ')
}
