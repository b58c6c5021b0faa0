const MARKS = /\p{M}+/gu
const REMOVED = /[^a-z0-9\s_-]+/g
const SEPARATORS = /[\s_-]+/g
const OUTER = /^-|-$/g

/**
 * The text as the last part of a URL: lower-case ASCII letters and digits, with `-` between words.
 * Letters lose their marks; punctuation and other scripts are dropped, so that nothing may be left.
 */
export function slugOf(text: string, maxLength: number): string {
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(REMOVED, '')
    .replace(SEPARATORS, '-')
    .replace(/^-/, '')
    .slice(0, maxLength)
    .replace(OUTER, '')
}
