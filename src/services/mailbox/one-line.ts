import { cutText } from '../../kernel/cut-text.ts'

/** The beginning of a text of a server, without control characters, which would break a line. */
export function oneLine(text: string, most: number): string {
  return cutText(text, most)
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed()
}
