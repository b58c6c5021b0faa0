import type { Template } from './template.ts'

const ESCAPES_OR_SIGN = /(?:%[\da-f]{2})+|[\s\S]/gi

/**
 * The values of a template's gaps as they were sent, given their decoded values. A reader needs
 * them, because an encoded comma is part of a value and a plain one separates two values.
 */
export function rawParts({ texts }: Template, raw: string, parts: readonly string[]): string[] {
  const offsets = offsetsIn(raw)
  let start = 0
  return parts.map((part, index) => {
    start += texts[index]?.length ?? 0
    const end = start + part.length
    const sent = raw.slice(offsets[start], offsets[end])
    start = end
    return sent
  })
}

/** Where each character of the decoded string begins in the string as sent, and its end. */
function offsetsIn(raw: string): number[] {
  const offsets: number[] = []
  let offset = 0
  for (const [found] of raw.matchAll(ESCAPES_OR_SIGN)) {
    if (found.length === 1) {
      offsets.push(offset++)
      continue
    }
    for (const character of decodeURIComponent(found)) {
      for (let unit = 0; unit < character.length; unit++) offsets.push(offset)
      offset += Buffer.byteLength(character) * '%00'.length
    }
  }
  offsets.push(offset)
  return offsets
}
