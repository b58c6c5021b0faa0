import { decodeSegment } from '../../../kernel/request-target.ts'

/** Percent-encoding undone; a text that is no good encoding stays as it is. */
export function decodePercent(text: string): string {
  return decodeSegment(text) ?? text
}

/** As in forms and queries, where a plus sign is a space. */
export function decodeForm(text: string): string {
  return decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text)
}
