import type { AST } from '@eslint-community/regexpp'
import { createCache } from '../../../kernel/cache.ts'
import type { Pattern } from '../schema/pattern/pattern.ts'
import type { Chance } from './chance.ts'
import { MAX_TEXT_LENGTH } from './work.ts'

interface Writing {
  chance: Chance
  flags: string
  /** Number of characters that are missing from the wanted length. */
  missing: number
  /** Whether optional repetitions may be added. */
  generous: boolean
  groups: Map<AST.CapturingGroup, string>
}

const FIRST_CODE = 0x20
const LAST_ASCII = 0x7e
const LAST_CODE = 0x2fff
const MAX_EXTRA = 4
const MAX_CLASSES = 5000
const classes = createCache<readonly string[]>(MAX_CLASSES)

/**
 * Generates a string of about the wanted length that most likely matches. Lookarounds are ignored,
 * so the caller has to test the result.
 */
export function writeFromPattern(
  pattern: Pattern,
  length: number,
  generous: boolean,
  chance: Chance
): string | undefined {
  const { tree, flags } = pattern
  const missing = Math.max(0, length - shortest(tree.alternatives))
  const writing: Writing = { chance, flags, missing, generous, groups: new Map() }
  const alternative = choose(tree.alternatives, chance)
  const text = write(alternative.elements, writing)
  if (text === undefined || writing.missing <= 0) return text
  const fill = 'a'.repeat(Math.min(writing.missing, MAX_TEXT_LENGTH))
  const [first, last] = [alternative.elements[0], alternative.elements.at(-1)]
  if (!isEdge(last, 'end')) return text + fill
  return isEdge(first, 'start') ? text : fill + text
}

/** Minimum number of characters of a match. */
export function shortestMatch({ tree }: Pattern): number {
  return shortest(tree.alternatives)
}

function isEdge(element: AST.Element | undefined, kind: 'start' | 'end'): boolean {
  return element?.type === 'Assertion' && element.kind === kind
}

function choose(alternatives: readonly AST.Alternative[], chance: Chance): AST.Alternative {
  return chance.pick(alternatives)
}

function write(elements: readonly AST.Element[], writing: Writing): string | undefined {
  let text = ''
  for (const element of elements) {
    const more = writeElement(element, writing)
    if (more === undefined || text.length + more.length > MAX_TEXT_LENGTH) return undefined
    text += more
  }
  return text
}

function writeElement(element: AST.Element, writing: Writing): string | undefined {
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value)
    case 'CharacterSet':
    case 'CharacterClass':
      return pickCharacter(element.raw, writing)
    case 'Group':
      return write(choose(element.alternatives, writing.chance).elements, writing)
    case 'CapturingGroup': {
      const text = write(choose(element.alternatives, writing.chance).elements, writing)
      if (text !== undefined) writing.groups.set(element, text)
      return text
    }
    case 'Quantifier':
      return repeat(element, writing)
    case 'Backreference': {
      const [group] = [element.resolved].flat()
      return (group && writing.groups.get(group)) ?? ''
    }
    default:
      return ''
  }
}

function repeat({ element, min, max }: AST.Quantifier, writing: Writing): string | undefined {
  const unit = Math.max(1, shortestElement(element))
  let times = min
  if (writing.missing > 0) {
    const more = Math.min(max - min, Math.ceil(writing.missing / unit))
    times += more
    writing.missing -= more * unit
  } else if (writing.generous) {
    times += writing.chance.whole(0, Math.min(max - min, MAX_EXTRA))
  }
  if (times * unit > MAX_TEXT_LENGTH) return undefined
  let text = ''
  for (let count = 0; count < times; count += 1) {
    const more = writeElement(element, writing)
    if (more === undefined || text.length > MAX_TEXT_LENGTH) return undefined
    text += more
  }
  return text
}

/** Prefers printable ASCII, then the first code points, then all others. */
function pickCharacter(raw: string, writing: Writing): string | undefined {
  const key = `${writing.flags}${raw}`
  let members = classes.get(key)
  if (members === undefined) {
    const expression = new RegExp(`^${raw}$`, writing.flags)
    members = membersOf(expression, FIRST_CODE + 1, LAST_ASCII)
    if (members.length === 0) members = membersOf(expression, 0, LAST_CODE)
    if (members.length === 0) members = membersOf(expression, LAST_CODE, 0x10ffff)
    const letters = members.filter((character) => /[A-Za-z0-9]/.test(character))
    if (letters.length > 0) members = letters
    classes.set(key, members)
  }
  return members.length === 0 ? undefined : writing.chance.pick(members)
}

function membersOf(expression: RegExp, first: number, last: number): string[] {
  const members: string[] = []
  for (let code = first; code <= last && members.length < 100; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    if (expression.test(character)) members.push(character)
  }
  return members
}

function shortest(alternatives: readonly AST.Alternative[]): number {
  return Math.min(
    ...alternatives.map(({ elements }) =>
      elements.reduce((sum, element) => sum + shortestElement(element), 0)
    )
  )
}

function shortestElement(element: AST.Element): number {
  switch (element.type) {
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
      return 1
    case 'Group':
    case 'CapturingGroup':
      return shortest(element.alternatives)
    case 'Quantifier':
      return element.min * shortestElement(element.element)
    default:
      return 0
  }
}
