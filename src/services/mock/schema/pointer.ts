import { isObject } from '../../../kernel/json.ts'
import { formatPointer, splitPointer } from '../../../kernel/json-pointer.ts'

const MAX_HOPS = 32

/** Accepts a pointer with or without the leading `#`; undefined if it is not a pointer. */
function tokensOf(pointer: string): string[] | undefined {
  const path = pointer.startsWith('#') ? pointer.slice(1) : pointer
  return path === '' || path.startsWith('/') ? splitPointer(path) : undefined
}

/** The last token of a pointer; of a reference, the name of the component. */
export function lastOf(pointer: string): string | undefined {
  const last = tokensOf(pointer)?.at(-1)
  return last === undefined ? undefined : decode(last)
}

export function joinPointer(pointer: string, ...tokens: (string | number)[]): string {
  return pointer + formatPointer(tokens.map(String))
}

/**
 * The value at a pointer. Path items, responses and parameters on the way may be references and are
 * resolved; a reference at the end is returned unresolved.
 */
export function findAt(document: object, pointer: string, hops = 0): unknown {
  const tokens = tokensOf(pointer)
  if (tokens === undefined) return undefined
  let current: unknown = document
  for (const token of tokens) {
    current = followReference(document, current, token, hops)
    if (typeof current !== 'object' || current === null) return undefined
    // A path may contain percent signs itself; a reference may have encoded them.
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
    // A name with a bare percent sign was not encoded.
    return token
  }
}
