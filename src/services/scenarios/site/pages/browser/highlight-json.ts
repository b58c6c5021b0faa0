/** Like the highlighting of the server, for bodies that only the browser has. */
const TOKEN =
  /(?<text>"(?:[^"\\]|\\.)*")(?=(?<name>\s*:)?)|(?<value>-?\d[\d.eE+-]*|\b(?:true|false|null)\b)/g
/** Each coloured word is an element. */
const MAX_LENGTH = 20_000

/** JSON indented and with colours; other text as it is. */
export function highlightJson(text: string): (Node | string)[] {
  const indented = indent(text)
  if (indented === undefined || indented.length > MAX_LENGTH) return [indented ?? text]
  const parts: (Node | string)[] = []
  let from = 0
  for (const { 0: found, index, groups } of indented.matchAll(TOKEN)) {
    const span = document.createElement('span')
    span.className = groups?.name ? 'hl-name' : groups?.text ? 'hl-text' : 'hl-value'
    span.textContent = found
    parts.push(indented.slice(from, index), span)
    from = index + found.length
  }
  return [...parts, indented.slice(from)]
}

function indent(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return undefined
  }
}
