import { cutText } from '../../../../kernel/cut-text.ts'
import { decodeReferences, tokenizeHtml } from '../../../../kernel/html-tokens.ts'
import { decodeText } from './charset.ts'
import type { MessagePart } from './facts.ts'
import { cleanText } from './header-text.ts'
import { createTransferDecoder } from './transfer-decoding.ts'

const MAX_CHARACTERS = 200
/** Encoded bytes that are kept of the first text of each kind. */
export const PREVIEW_BYTES = { 'text/plain': 2 * 1024, 'text/html': 32 * 1024 } as const

/** The first characters of a text part, in one line. */
export function previewOf(
  part: Pick<MessagePart, 'type' | 'encoding' | 'parameters'>,
  body: Buffer
): string {
  const decoder = createTransferDecoder(part.encoding)
  const bytes = Buffer.concat([decoder.write(body), decoder.end()])
  const text = decodeText(bytes, part.parameters.charset)
  const plain = part.type === 'text/html' ? htmlToText(text) : text
  return cutText(cleanText(plain).replace(/\s+/g, ' ').trim(), MAX_CHARACTERS).trimEnd()
}

/** For previews; the result is never shown as HTML. */
function htmlToText(html: string): string {
  const texts: string[] = []
  for (const token of tokenizeHtml(html)) if (token.type === 'text') texts.push(token.text)
  return decodeReferences(texts.join(' '))
}
