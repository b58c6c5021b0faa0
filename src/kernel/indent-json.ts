const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s[\]{},:"]+/g
const INDENT = '  '

/** Indents JSON and keeps the spelling of its values; undefined if the text is no JSON. */
export function indentJson(text: string): string | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const parts: string[] = []
  let depth = 0
  let before = ''
  const breakLine = () => parts.push(`\n${INDENT.repeat(depth)}`)
  for (const [token] of text.matchAll(TOKEN)) {
    const closes = token === '}' || token === ']'
    if (closes) depth--
    const isFirst = before === '{' || before === '['
    if (closes ? !isFirst : isFirst || before === ',') breakLine()
    if (token === '{' || token === '[') depth++
    parts.push(token === ':' ? ': ' : token)
    before = token
  }
  return parts.join('')
}
