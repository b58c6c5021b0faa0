import { decodeSegment } from '../../../kernel/request-target.ts'

/** Decodes percent-encoding; an invalid encoding is returned unchanged. */
export function decodePercent(text: string): string {
  return decodeSegment(text) ?? text
}

/** Decodes as in forms and queries, where a plus sign is a space. */
export function decodeForm(text: string): string {
  return decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text)
}
