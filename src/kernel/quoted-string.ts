/** Splits a list in a header; separators inside quotes are ignored. */
export function splitOutsideQuotes(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator)
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let index = 0; index < text.length; index++) {
    const sign = text[index]
    if (isQuoted && sign === '\\') index++
    else if (sign === '"') isQuoted = !isQuoted
    else if (sign === separator && !isQuoted) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}

/** RFC 9110 5.6.4; a string without quotes is returned unchanged. */
export function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text
  return text.slice(1, -1).replace(/\\(.)/g, '$1')
}
