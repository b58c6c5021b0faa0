import { webUrlOf } from '../json/values.ts'

export interface PlainLink {
  /** Positions in UTF-16 units. */
  start: number
  end: number
  href: string
}

/** URLs that are written in a text, without the punctuation after them. */
export function findPlainLinks(text: string): PlainLink[] {
  const links: PlainLink[] = []
  for (const match of text.matchAll(/\bhttps?:\/\/[^\s<>"'“”‘’«»]+/giu)) {
    const found = trimPunctuation(match[0])
    // A URL that was cut leads nowhere.
    if (found.includes('…')) continue
    const href = webUrlOf(found)
    if (href !== undefined) {
      links.push({ start: match.index, end: match.index + found.length, href })
    }
  }
  return links
}

function trimPunctuation(url: string): string {
  const trimmed = url.replace(/[.,;:!?*_~|]+$/u, '')
  const isClosing = trimmed.endsWith(')') && !trimmed.includes('(')
  const bare = isClosing ? trimmed.slice(0, -1) : trimmed
  return bare === url ? url : trimPunctuation(bare)
}
