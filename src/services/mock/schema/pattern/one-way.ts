import type { AST } from '@eslint-community/regexpp'
import { isOneCharacter } from './safety.ts'

/** One character, or one repeated character. */
interface Stretch {
  raw: string
  characters: AST.Element
  isVariable: boolean
  isOptional: boolean
}

const MAX_LISTED = 256
const DIGITS: readonly [number, number][] = [[48, 57]]
const WORD: readonly [number, number][] = [...DIGITS, [65, 90], [95, 95], [97, 122]]

/**
 * Whether a pattern is an anchored sequence of characters in which each variable repetition is
 * followed by a character that the repetition cannot match. There is only one way to match a string
 * then, so a backtracking engine finds at once that there is no other.
 */
export function hasOneWay({ alternatives }: AST.Pattern, flags: string): boolean {
  const [only, ...others] = alternatives
  if (only === undefined || others.length > 0) return false
  const [start, ...elements] = only.elements
  if (start?.type !== 'Assertion' || start.kind !== 'start') return false
  const last = elements.at(-1)
  const hasEnd = last?.type === 'Assertion' && last.kind === 'end'
  const row = (hasEnd ? elements.slice(0, -1) : elements).map(toStretch)
  return row.every((stretch, index) => {
    if (stretch === undefined) return false
    if (!stretch.isVariable || index === row.length - 1) return true
    const next = row[index + 1]
    return next !== undefined && !next.isOptional && areApart(stretch, next, flags)
  })
}

function toStretch(element: AST.Element): Stretch | undefined {
  if (isOneCharacter(element)) {
    return { raw: element.raw, characters: element, isVariable: false, isOptional: false }
  }
  if (element.type !== 'Quantifier' || !isOneCharacter(element.element)) return undefined
  const { min, max, element: characters } = element
  return { raw: characters.raw, characters, isVariable: min !== max, isOptional: min === 0 }
}

/** Whether no character is in both sets; false if neither set can be listed. */
function areApart(one: Stretch, other: Stretch, flags: string): boolean {
  return isApart(list(one.characters), other, flags) || isApart(list(other.characters), one, flags)
}

function isApart(listed: readonly number[] | undefined, { raw }: Stretch, flags: string): boolean {
  if (listed === undefined) return false
  const expression = new RegExp(`^${raw}$`, flags)
  return !listed.some((point) => expression.test(String.fromCodePoint(point)))
}

/** All code points of a small set; undefined for a large one. */
function list(element: AST.Element | AST.CharacterClassElement): number[] | undefined {
  switch (element.type) {
    case 'Character':
      return [element.value]
    case 'CharacterClassRange':
      return listRanges([[element.min.value, element.max.value]])
    case 'CharacterSet':
      if (element.kind === 'digit' && !element.negate) return listRanges(DIGITS)
      return element.kind === 'word' && !element.negate ? listRanges(WORD) : undefined
    case 'CharacterClass': {
      if (element.negate) return undefined
      const lists = element.elements.map(list)
      return lists.includes(undefined) ? undefined : lists.flatMap((each) => each ?? [])
    }
    default:
      return undefined
  }
}

function listRanges(ranges: readonly [number, number][]): number[] | undefined {
  const size = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0)
  if (size > MAX_LISTED) return undefined
  return ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index)
  )
}
