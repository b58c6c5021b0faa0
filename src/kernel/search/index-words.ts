import { foldText, MAX_WORD_LENGTH } from './words.ts'

/**
 * Words as both engines store them: ASCII letters and digits, starting with a letter, because the
 * parsers of both keep these unchanged in every locale. The first letter tells the kind: `x` is
 * followed by hexadecimal UTF-16, `y` by the word, `z` is no word of a text.
 */
const KEPT = /^[a-w][a-z0-9]*$/
const ASCII = /^[a-z0-9]+$/

/** A word of every document, for queries that require no other. */
export const EVERY_DOCUMENT = 'z'
/** Stands between texts and for words that are not stored; no query contains it. */
export const GAP = 'zgap'

export function indexWord(word: string): string {
  if (KEPT.test(word)) return word
  if (ASCII.test(word)) return `y${word}`
  return `x${Buffer.from(word, 'utf16le').swap16().toString('hex')}`
}

/** The word of a document with this label, such as its author. */
export function labelWord(name: string, value: string): string {
  return `z${Buffer.from(`${name}:${foldLabel(value)}`).toString('hex')}`
}

/** Labels are compared as a whole, without case and marks. */
export function foldLabel(value: string): string {
  return foldText(value).trim().slice(0, MAX_WORD_LENGTH)
}
