import { isObject, type Json } from './json.ts'

/** RFC 6901, without the leading `#`. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return []
  return pointer.slice(1).split('/').map(unescapeToken)
}

function unescapeToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token
}

export function formatPointer(tokens: readonly string[]): string {
  return tokens.map((token) => `/${escapeToken(token)}`).join('')
}

function escapeToken(token: string): string {
  if (!token.includes('/') && !token.includes('~')) return token
  return token.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** As it stands in a URI: `$ref` fragments are percent-encoded, some authors forget it. */
export function parseFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch (error) {
    if (error instanceof URIError) return fragment
    throw error
  }
}

export function formatReference(tokens: readonly string[]): string {
  return `#${formatPointer(tokens.map((token) => encodeURIComponent(token)))}`
}

export function findAt(root: Json, tokens: readonly string[]): Json | undefined {
  let value: Json | undefined = root
  for (const token of tokens) {
    if (Array.isArray(value)) value = /^\d+$/.test(token) ? value[Number(token)] : undefined
    else if (isObject(value) && Object.hasOwn(value, token)) value = value[token]
    else return undefined
  }
  return value
}
