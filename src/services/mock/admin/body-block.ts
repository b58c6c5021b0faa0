import { html, type Markup } from '../../../kernel/html.ts'
import { codeBlock, jsonBlock } from '../../../kernel/page-parts.ts'
import type { DescribedBody } from '../journal/describe-entry.ts'

/** Bytes of the markup of one body, so that a page with two of them stays below 100 KB. */
const MAX_BYTES = 14 * 1024
const CUT = 'Only the beginning is shown; the JSON of this URL has more.'

/** A body with colours; a long one without, and only its beginning if that is too long too. */
export function bodyBlock({ text, base64 }: DescribedBody, label: string): Markup {
  const whole = text ?? base64 ?? ''
  if (text !== undefined && text.length <= MAX_BYTES) {
    const coloured = jsonBlock(text, label)
    if (coloured.markup.length <= MAX_BYTES) return coloured
  }
  let shown = whole.slice(0, MAX_BYTES)
  let block = codeBlock(shown, 'plain', label)
  while (Buffer.byteLength(block.markup) > MAX_BYTES + 500) {
    shown = shown.slice(0, Math.floor(shown.length / 2))
    block = codeBlock(shown, 'plain', label)
  }
  return shown.length === whole.length ? block : html`${block}<p class="soft">${CUT}</p>`
}
