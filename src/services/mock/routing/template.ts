/** A string with gaps, such as `v{major}.{minor}`; `texts` are the strings around the gaps. */
export interface Template {
  texts: readonly string[]
  names: readonly string[]
}

export function parseTemplate(text: string): Template {
  const texts: string[] = []
  const names: string[] = []
  let start = 0
  for (;;) {
    const open = text.indexOf('{', start)
    const close = open === -1 ? -1 : text.indexOf('}', open)
    if (close === -1) break
    texts.push(text.slice(start, open))
    names.push(text.slice(open + 1, close))
    start = close + 1
  }
  texts.push(text.slice(start))
  return { texts, names }
}

/**
 * Values of the gaps; undefined if the string does not match. A gap takes as much as it can, the
 * first one first; matching from the end finds this without backtracking.
 */
export function matchTemplate({ texts }: Template, text: string): string[] | undefined {
  const first = texts[0] ?? ''
  if (texts.length === 1) return text === first ? [] : undefined
  const last = texts.at(-1) ?? ''
  if (text.length < first.length + last.length) return undefined
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined
  const values: string[] = []
  let end = text.length - last.length
  for (let index = texts.length - 2; index > 0; index--) {
    const between = texts[index] ?? ''
    const from = end - between.length
    const at = from < first.length ? -1 : text.lastIndexOf(between, from)
    if (at < first.length) return undefined
    values.unshift(text.slice(at + between.length, end))
    end = at
  }
  values.unshift(text.slice(first.length, end))
  return values
}
