import { isObject, type Json } from './json.ts'

/** `start`: it does not begin with a slash; `escape`: a `~` is not followed by 0 or 1. */
export type PointerError = 'start' | 'escape'

export type ParsedPointer =
  | { readonly tokens: string[]; readonly error?: undefined }
  | { readonly tokens?: undefined; readonly error: PointerError }

/** RFC 6901. */
export function parsePointer(pointer: string): ParsedPointer {
  if (pointer !== '' && !pointer.startsWith('/')) return { error: 'start' }
  if (/~(?![01])/.test(pointer)) return { error: 'escape' }
  return { tokens: splitPointer(pointer) }
}

/** The tokens of a valid pointer; an invalid `~` is not changed. */
export function splitPointer(pointer: string): string[] {
  return pointer === '' ? [] : pointer.slice(1).split('/').map(unescapeToken)
}

export function formatPointer(tokens: readonly string[]): string {
  return tokens.map((token) => `/${escapeToken(token)}`).join('')
}

function unescapeToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token
}

function escapeToken(token: string): string {
  if (!token.includes('/') && !token.includes('~')) return token
  return token.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Undefined if a token does not name an own member or an element. */
export function findAt(root: Json, tokens: readonly string[]): Json | undefined {
  let value: Json | undefined = root
  for (const token of tokens) {
    if (Array.isArray(value)) value = /^\d+$/.test(token) ? value[Number(token)] : undefined
    else if (isObject(value) && Object.hasOwn(value, token)) value = value[token]
    else return undefined
  }
  return value
}
