import { decodePercent } from './percent.ts'
import { groupPairs, type Pair } from './query-string.ts'

const NO_COOKIES: ReadonlyMap<string, readonly Pair[]> = new Map()

/** RFC 6265: values by name in lower case, without quotes. */
export function parseCookies(header: string | undefined): ReadonlyMap<string, readonly Pair[]> {
  if (header === undefined || header === '') return NO_COOKIES
  const pairs = header.split(';').flatMap((part) => {
    const equals = part.indexOf('=')
    if (equals === -1) return []
    const raw = unquote(part.slice(equals + 1).trim())
    return [{ name: part.slice(0, equals).trim(), value: decodePercent(raw), raw }]
  })
  return groupPairs(pairs, (name) => name.toLowerCase())
}

function unquote(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
}
