/** Positions of values in JSON text that is known to be valid. */

export interface Span {
  readonly start: number
  readonly end: number
}

export interface MemberSpan extends Span {
  /** The name without quotes and escapes. */
  readonly name: string
  /** End of the key; `start` is its first quote, and `end` is the end of the value. */
  readonly keyEnd: number
  readonly valueStart: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const STRUCTURE = /["{}[\]]/g
const SPACE = ' \t\n\r'

export function skipSpace(text: string, start: number): number {
  let at = start
  while (at < text.length && SPACE.includes(text.charAt(at))) at++
  return at
}

export function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; ) {
    at = text.indexOf('"', at)
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return at + 1
    at++
  }
}

/** The position after the value at `start`. */
export function endOfValue(text: string, start: number): number {
  const first = text.charAt(start)
  if (first === '"') return endOfString(text, start)
  if (first !== '{' && first !== '[') return endOfWord(text, start)
  let depth = 0
  for (let at = start; ; ) {
    STRUCTURE.lastIndex = at
    const found = STRUCTURE.exec(text)
    if (found === null) return text.length
    const sign = found[0]
    if (sign === '"') {
      at = endOfString(text, found.index)
      continue
    }
    at = found.index + 1
    depth += sign === '{' || sign === '[' ? 1 : -1
    if (depth === 0) return at
  }
}

function endOfWord(text: string, start: number): number {
  let at = start
  while (at < text.length && !/[\s,\]}]/.test(text.charAt(at))) at++
  return at
}

/** The members of the object at `start`, in the order of the text, duplicates included. */
export function membersOf(text: string, start: number): MemberSpan[] {
  const members: MemberSpan[] = []
  let at = skipSpace(text, start + 1)
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = endOfString(text, at)
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const end = endOfValue(text, valueStart)
    const name: string = JSON.parse(text.slice(at, keyEnd))
    members.push({ name, start: at, keyEnd, valueStart, end })
    at = skipSpace(text, end)
    if (text.charAt(at) === ',') at = skipSpace(text, at + 1)
  }
  return members
}

/** The elements of the array at `start`. */
export function elementsOf(text: string, start: number): Span[] {
  const elements: Span[] = []
  let at = skipSpace(text, start + 1)
  while (text.charAt(at) !== ']') {
    const end = endOfValue(text, at)
    elements.push({ start: at, end })
    at = skipSpace(text, end)
    if (text.charAt(at) === ',') at = skipSpace(text, at + 1)
  }
  return elements
}

/** The last of the members with this name. */
export function findMember(members: readonly MemberSpan[], name: string): MemberSpan | undefined {
  return members.findLast((member) => member.name === name)
}
