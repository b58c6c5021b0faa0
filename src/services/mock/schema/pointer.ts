import { isObject } from '../../../kernel/json.ts'

const MAX_HOPS = 32

export function splitPointer(pointer: string): string[] | undefined {
  const path = pointer.startsWith('#') ? pointer.slice(1) : pointer
  if (path === '') return []
  if (!path.startsWith('/')) return undefined
  return path.slice(1).split('/').map(unescapeToken)
}

function unescapeToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token
}

/** The last name of a pointer: of a reference, the component. */
export function lastOf(pointer: string): string | undefined {
  const last = splitPointer(pointer)?.at(-1)
  return last === undefined ? undefined : decode(last)
}

export function joinPointer(pointer: string, ...tokens: (string | number)[]): string {
  const escaped = tokens.map((token) => `/${escapeToken(String(token))}`)
  return `${pointer}${escaped.join('')}`
}

function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1')
}

/**
 * The value at a pointer. Path items, responses, parameters and the like on the way may
 * themselves be references; a reference at the end is given as it is.
 */
export function findAt(document: object, pointer: string, hops = 0): unknown {
  const tokens = splitPointer(pointer)
  if (tokens === undefined) return undefined
  let current: unknown = document
  for (const token of tokens) {
    current = followReference(document, current, token, hops)
    if (typeof current !== 'object' || current === null) return undefined
    // A path may be written with percent signs of its own; a reference may have encoded it.
    const name = Object.hasOwn(current, token) ? token : decode(token)
    if (!Object.hasOwn(current, name)) return undefined
    current = (current as Record<string, unknown>)[name]
  }
  return current
}

function followReference(document: object, value: unknown, token: string, hops: number): unknown {
  if (!isObject(value) || typeof value.$ref !== 'string') return value
  if (Object.hasOwn(value, token) || hops >= MAX_HOPS) return value
  return findAt(document, value.$ref, hops + 1)
}

function decode(token: string): string {
  if (!token.includes('%')) return token
  try {
    return decodeURIComponent(token)
  } catch {
    // A name with a bare percent sign was never encoded.
    return token
  }
}
