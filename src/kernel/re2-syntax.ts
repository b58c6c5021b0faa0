import type { AST } from '@eslint-community/regexpp'

/** Line ends and white space of ECMAScript; RE2's `.` and `\s` cover fewer characters. */
const LINE_ENDS = '\\n\\r\\x{2028}\\x{2029}'
const SPACE =
  '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const NOT_SPACE =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}' +
  '\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
const EVERYTHING = '\\x{0}-\\x{10ffff}'

/** Translates a pattern to RE2's syntax; undefined if RE2 has no equivalent. */
export function toRe2(pattern: AST.Pattern): string | undefined {
  return alternatives(pattern.alternatives)
}

function alternatives(list: readonly AST.Alternative[]): string | undefined {
  return joined(
    list.map(({ elements }) => joined(elements.map(element), '')),
    '|'
  )
}

function joined(parts: (string | undefined)[], separator: string): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join(separator)
}

function element(node: AST.Element): string | undefined {
  switch (node.type) {
    case 'Character':
      return codePoint(node.value)
    case 'CharacterSet':
      return node.kind === 'any' ? `[^${LINE_ENDS}]` : bracketed(classPart(node))
    case 'CharacterClass':
      return characterClass(node)
    case 'Group':
      return node.modifiers ? undefined : wrapped(alternatives(node.alternatives))
    case 'CapturingGroup':
      return wrapped(alternatives(node.alternatives))
    case 'Quantifier':
      return quantifier(node)
    case 'Assertion':
      return assertion(node)
    default:
      return undefined
  }
}

function quantifier(node: AST.Quantifier): string | undefined {
  if (node.element.type === 'Assertion') return undefined
  const inner = wrapped(element(node.element))
  if (inner === undefined) return undefined
  if (node.max === Number.POSITIVE_INFINITY && node.min <= 1) {
    return inner + (node.min === 0 ? '*' : '+')
  }
  return `${inner}{${node.min},${node.max === Number.POSITIVE_INFINITY ? '' : node.max}}`
}

function assertion(node: AST.Assertion): string | undefined {
  if (node.kind === 'start') return '^'
  if (node.kind === 'end') return '$'
  if (node.kind === 'word') return node.negate ? '\\B' : '\\b'
  return undefined
}

function characterClass(node: AST.CharacterClass): string | undefined {
  if (node.unicodeSets) return undefined
  if (node.elements.length === 0) return node.negate ? `[${EVERYTHING}]` : `[^${EVERYTHING}]`
  const inner = joined(node.elements.map(classPart), '')
  return inner === undefined ? undefined : `[${node.negate ? '^' : ''}${inner}]`
}

function classPart(node: AST.CharacterClassElement | AST.CharacterSet): string | undefined {
  if (node.type === 'Character') return codePoint(node.value)
  if (node.type === 'CharacterClassRange') {
    return `${codePoint(node.min.value)}-${codePoint(node.max.value)}`
  }
  if (node.type !== 'CharacterSet') return undefined
  switch (node.kind) {
    case 'digit':
      return node.negate ? '\\D' : '0-9'
    case 'word':
      return node.negate ? '\\W' : '0-9A-Za-z_'
    case 'space':
      return node.negate ? NOT_SPACE : SPACE
    case 'property':
      return `\\${node.negate ? 'P' : 'p'}{${node.value ?? node.key}}`
    default:
      return undefined
  }
}

function bracketed(inner: string | undefined): string | undefined {
  return inner === undefined ? undefined : `[${inner}]`
}

function wrapped(inner: string | undefined): string | undefined {
  return inner === undefined ? undefined : `(?:${inner})`
}

function codePoint(value: number): string {
  return `\\x{${value.toString(16)}}`
}
