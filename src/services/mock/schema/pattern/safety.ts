import type { AST } from '@eslint-community/regexpp'

const MAX_FIXED_REPEATS = 1000

interface Segment {
  choices: number
  variable: number
  unbounded: boolean
}

/**
 * Whether a backtracking engine takes linear time on every string. Deliberately narrow: each part
 * between lookarounds may have one variable repetition of a character class and one alternation;
 * unbounded repetitions require an anchor at the start of the string.
 */
export function isLinear(pattern: AST.Pattern): boolean {
  const anchored = pattern.alternatives.every(({ elements }) => isStart(elements[0]))
  return isLinearSegment(pattern.alternatives, anchored)
}

function isLinearSegment(alternatives: readonly AST.Alternative[], anchored: boolean): boolean {
  const segment: Segment = { choices: 0, variable: 0, unbounded: false }
  if (!walk(alternatives, segment, anchored)) return false
  if (segment.variable > 1 || segment.choices > 1) return false
  return anchored || !segment.unbounded
}

function walk(
  alternatives: readonly AST.Alternative[],
  segment: Segment,
  anchored: boolean
): boolean {
  if (alternatives.length > 1) segment.choices += 1
  return alternatives.every(({ elements }) =>
    elements.every((element) => walkElement(element, segment, anchored))
  )
}

function walkElement(element: AST.Element, segment: Segment, anchored: boolean): boolean {
  switch (element.type) {
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
      return true
    case 'Group':
    case 'CapturingGroup':
      return walk(element.alternatives, segment, anchored)
    case 'Quantifier':
      return walkQuantifier(element, segment)
    case 'Assertion':
      if (element.kind !== 'lookahead' && element.kind !== 'lookbehind') return true
      // After a variable repetition, the lookaround is tried at every position.
      return isLinearSegment(element.alternatives, anchored && segment.variable === 0)
    default:
      return false
  }
}

function walkQuantifier({ element, min, max }: AST.Quantifier, segment: Segment): boolean {
  if (!isOneCharacter(element)) return min === 1 && max === 1
  if (min !== max) segment.variable += 1
  if (max > MAX_FIXED_REPEATS) segment.unbounded = true
  return true
}

export function isOneCharacter(element: AST.Element): boolean {
  return (
    element.type === 'Character' ||
    element.type === 'CharacterSet' ||
    element.type === 'CharacterClass'
  )
}

function isStart(element: AST.Element | undefined): boolean {
  return element?.type === 'Assertion' && element.kind === 'start'
}
