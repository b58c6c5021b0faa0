import { indentJson } from '../../../kernel/indent-json.ts'

/** Longer texts are not shown in full; a record may have a megabyte. */
const MAX_SHOWN = 8 * 1024
/** Each coloured word is an element of some 30 bytes. */
const MAX_WORDS = 700
/** Deep nesting makes the indented text long. */
const MAX_INDENTED = 24 * 1024
const WORD = /"(?:[^"\\]|\\.)*"|[\w.+-]+/g

/** The text of a record for a page of limited size. */
export interface ShownText {
  readonly text: string
  readonly language: 'json' | 'plain'
  /** False if the end is left out. */
  readonly isWhole: boolean
}

export function showText(raw: string): ShownText {
  if (raw.length > MAX_SHOWN) {
    return { text: `${raw.slice(0, MAX_SHOWN)}…`, language: 'plain', isWhole: false }
  }
  const words = raw.match(WORD)?.length ?? 0
  if (words > MAX_WORDS) return { text: raw, language: 'plain', isWhole: true }
  const indented = indentJson(raw) ?? raw
  if (indented.length > MAX_INDENTED) return { text: raw, language: 'plain', isWhole: true }
  return { text: indented, language: 'json', isWhole: true }
}
