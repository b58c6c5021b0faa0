import { cutText } from '../cut-text.ts'

/** In UTF-16 units, of a text before and after it is normalised; the rest is not searched. */
export const MAX_TEXT_LENGTH = 100_000
/** Words of one text. PostgreSQL stores positions up to 16,383. */
export const MAX_WORDS = 15_000
/** In UTF-16 units; longer words are cut, in texts and in queries. */
export const MAX_WORD_LENGTH = 64

/**
 * Removed, so that the parts around it stay one word: marks, invisible characters such as soft
 * hyphens and joiners, and the Arabic kashida. The zero-width space separates words.
 */
const REMOVED = /[[\p{M}\p{Cf}\u0640]--\u200b]+/gv

/**
 * Scripts without spaces between words, and Hangul, where particles are attached to words: each
 * character is a word, because longer ones could only be found as a whole.
 */
const UNSPACED =
  '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Bopo}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}]'
/**
 * An emoji is a word, because it is often all that a short text says; a flag consists of two
 * characters. Apostrophes that are letters (U+02BB, U+02BC) separate words as the usual ones do.
 */
const EMOJI = '\\p{RI}\\p{RI}|\\p{Extended_Pictographic}'
const LETTERS = '[[\\p{L}\\p{N}]--[\\u02bb\\u02bc]]'
const WORD = new RegExp(`[${LETTERS}&&${UNSPACED}]|${EMOJI}|[${LETTERS}--${UNSPACED}]+`, 'gv')

/** The words of a text in the form in which they are compared, for documents and queries. */
export function words(text: string): string[] {
  const found: string[] = []
  for (const [word] of foldText(text).matchAll(WORD)) {
    if (found.length === MAX_WORDS) break
    found.push(word.slice(0, MAX_WORD_LENGTH))
  }
  return found
}

/** Without compatibility forms, marks and case: `ß` and `SS` are equal, as are `ı`, `I` and `i`. */
export function foldText(text: string): string {
  const plain = cutText(text, MAX_TEXT_LENGTH).normalize('NFKD').replace(REMOVED, '')
  // NFC joins the parts of Hangul syllables; without marks it changes no other script.
  return cutText(foldCase(plain.normalize('NFC')), MAX_TEXT_LENGTH)
}

/** Upper case makes `ß` two letters and `ı` an `I`; the lower case before it does so for `ẞ`. */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}
