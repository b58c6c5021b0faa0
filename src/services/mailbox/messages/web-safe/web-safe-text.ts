import { cutText } from '../../../../kernel/cut-text.ts'
import { html, type Markup, type Part } from '../../../../kernel/html.ts'
import { FOLD_END, FOLD_START, type WebSafeHtml } from './web-safe-html.ts'

const MAX_TEXT = 1_000_000
const URL_IN_TEXT = /\bhttps?:\/\/[^\s<>"']+/gi
/** Punctuation at the end of a URL belongs to the sentence. */
const SENTENCE_END = '.,;:!?)]}'
const ORIGINAL_MESSAGE = /^-{2,} ?original message ?-{2,}\s*$/i

/** Markup of a message that has only a plain text, with links; quoted lines at its end are folded. */
export function webSafeText(source: string): WebSafeHtml {
  const lines = cutText(source, MAX_TEXT).replaceAll('\r\n', '\n').split('\n')
  const quoteStart = findQuotedLines(lines)
  const { markup: own } = markUp(lines.slice(0, quoteStart))
  const { markup: quoted } = markUp(lines.slice(quoteStart))
  const folded = quoted === '' ? '' : `${FOLD_START}${quoted}${FOLD_END}`
  return {
    html: `<div style="white-space:pre-wrap">${own}${folded}</div>`,
    isCut: source.length > MAX_TEXT,
    remoteImages: 0
  }
}

/** Index of the first of the quoted lines at the end; the number of lines if no line is quoted. */
function findQuotedLines(lines: readonly string[]): number {
  const original = lines.findIndex((line) => ORIGINAL_MESSAGE.test(line))
  let start = lines.length
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index] ?? ''
    if (line.startsWith('>')) start = index
    else if (line.trim() !== '') break
  }
  if (original !== -1 && original < start) start = original
  const hasOwnText = lines.slice(0, start).some((line) => line.trim() !== '')
  return hasOwnText ? start : lines.length
}

function markUp(lines: readonly string[]): Markup {
  const text = lines.join('\n')
  const parts: Part[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(URL_IN_TEXT)) {
    const url = withoutSentenceEnd(found)
    const link = html`<a href="${url}" target="_blank" rel="noopener noreferrer">${url}</a>`
    parts.push(text.slice(end, index), link)
    end = index + url.length
  }
  return html`${[...parts, text.slice(end)]}`
}

/** By characters: a pattern would take the square of the length of a URL. */
function withoutSentenceEnd(url: string): string {
  let end = url.length
  while (end > 0 && SENTENCE_END.includes(url.charAt(end - 1))) end -= 1
  return url.slice(0, end)
}
