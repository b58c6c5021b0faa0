import { parsePointer as parse } from '../../../kernel/json-pointer.ts'
import { patchFailed, patchInvalid } from './patch-errors.ts'
import { elementsOf, findMember, membersOf, type Span } from './spans.ts'

export function parsePointer(pointer: string): string[] {
  const parsed = parse(pointer)
  if (parsed.error === undefined) return parsed.tokens
  if (parsed.error === 'start') throw patchInvalid(`"${pointer}" must start with "/"`)
  throw patchInvalid(`"${pointer}": "~" must be followed by 0 or 1`)
}

const INDEX = /^(?:0|[1-9]\d*)$/

/** The value at the path; undefined if there is none. */
export function locate(text: string, path: readonly string[]): Span | undefined {
  let value: Span | undefined = { start: 0, end: text.length }
  for (const name of path) {
    if (value === undefined) return undefined
    const first: string = text.charAt(value.start)
    if (first === '{') {
      const member = findMember(membersOf(text, value.start), name)
      value = member && { start: member.valueStart, end: member.end }
    } else if (first === '[' && INDEX.test(name)) {
      value = elementsOf(text, value.start)[Number(name)]
    } else return undefined
  }
  return value
}

/** The object or array that holds the last name of a path; throws if there is none. */
export function locateParent(text: string, path: readonly string[], pointer: string): Span {
  const parent = locate(text, path.slice(0, -1))
  const first = parent === undefined ? '' : text.charAt(parent.start)
  if (parent === undefined || (first !== '{' && first !== '[')) {
    throw patchFailed(`there is no object or array to hold "${pointer}"`)
  }
  return parent
}

/** The index in an array of `length` elements; `-` is the index after the last. */
export function arrayIndex(name: string, length: number, pointer: string): number {
  if (name === '-') return length
  if (!INDEX.test(name)) throw patchFailed(`"${pointer}" is not an array index`)
  return Math.min(Number(name), Number.MAX_SAFE_INTEGER)
}
