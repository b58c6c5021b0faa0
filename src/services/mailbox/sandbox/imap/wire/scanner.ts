import { syntaxError } from './errors.ts'
import { parseSequenceSet, type SequenceSet } from './sequence-set.ts'

const ATOM = /[!#$&'+-[^-z|}~]+/y
const ASTRING = /[!#$&'+-[\]-z|}~]+/y
const LIST_PATTERN = /[!#-'*-[\]-z|}~]+/y
const FLAG = /\\?[!#$&'+-[^-z|}~]+/y
const SEQUENCE = /[\d:*,]+/y
const NUMBER = /\d{1,16}/y
const QUOTED = /"((?:[^"\\\r\n]|\\["\\])*)"/y
const LITERAL = /~?\{\d+[+-]?\}$/y
const MAX_LIST = 10_000

/** Reads the arguments of a command; throws if they are not what is expected. */
export interface Scanner {
  isAtEnd: () => boolean
  end: () => void
  /** Whether the text goes on with this, without case. */
  isNext: (text: string) => boolean
  /** Reads this if the text goes on with it, without case. */
  skip: (text: string) => boolean
  expect: (text: string) => void
  space: () => void
  atom: () => string
  /** An atom in capitals. */
  keyword: () => string
  astring: () => string
  /** A quoted string or a literal. */
  string: () => string
  /** A string, or undefined for NIL. */
  nstring: () => string | undefined
  listPattern: () => string
  flag: () => string
  number: () => number
  sequenceSet: () => SequenceSet
  /** What the pattern, which must be sticky, matches; undefined if it does not. */
  match: (pattern: RegExp) => RegExpExecArray | undefined
  /** Items in parentheses, with spaces between them. */
  list: <T>(item: () => T) => T[]
}

/**
 * `lines` are the text of the command in Latin-1: each but the last ends with the length of a
 * literal. Strings are decoded as UTF-8.
 */
export function createScanner(lines: readonly string[], literals: readonly Buffer[]): Scanner {
  let row = 0
  let at = 0
  const line = () => lines[row] ?? ''

  function match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(line())
    if (found === null) return undefined
    at += found[0].length
    return found
  }

  function expectMatch(pattern: RegExp, what: string): string {
    const found = match(pattern)
    if (found === undefined) throw syntaxError(`Expected ${what}.`)
    return found[0]
  }

  function isNext(text: string): boolean {
    return (
      line()
        .slice(at, at + text.length)
        .toUpperCase() === text.toUpperCase()
    )
  }

  function skip(text: string): boolean {
    if (!isNext(text)) return false
    at += text.length
    return true
  }

  function expect(text: string): void {
    if (!skip(text)) throw syntaxError(`Expected ${text === ' ' ? 'a space' : text}.`)
  }

  function stringOrUndefined(): string | undefined {
    const quoted = match(QUOTED)
    if (quoted !== undefined) return decode((quoted[1] ?? '').replace(/\\(.)/g, '$1'))
    const literal = literals[row]
    if (literal === undefined || match(LITERAL) === undefined) return undefined
    row++
    at = 0
    return literal.toString('utf8')
  }

  function string(): string {
    const text = stringOrUndefined()
    if (text === undefined) throw syntaxError('Expected a string.')
    return text
  }

  function list<T>(item: () => T): T[] {
    const items: T[] = []
    expect('(')
    while (!skip(')')) {
      if (items.length > 0) expect(' ')
      if (items.length === MAX_LIST) throw syntaxError('The list is too long.')
      items.push(item())
    }
    return items
  }

  const isAtEnd = () => row >= lines.length - 1 && at >= line().length

  return {
    isAtEnd,
    end() {
      if (!isAtEnd()) throw syntaxError('Unexpected arguments.')
    },
    isNext,
    skip,
    expect,
    space: () => expect(' '),
    atom: () => expectMatch(ATOM, 'an atom'),
    keyword: () => expectMatch(ATOM, 'an atom').toUpperCase(),
    astring: () => stringOrUndefined() ?? expectMatch(ASTRING, 'a string'),
    string,
    nstring: () => (match(/nil(?![^\s()])/iy) === undefined ? string() : undefined),
    listPattern: () => stringOrUndefined() ?? expectMatch(LIST_PATTERN, 'a pattern'),
    flag: () => expectMatch(FLAG, 'a flag'),
    number: () => Number(expectMatch(NUMBER, 'a number')),
    sequenceSet() {
      const set = parseSequenceSet(expectMatch(SEQUENCE, 'a message set'))
      if (set === undefined) throw syntaxError('Invalid messageset')
      return set
    },
    match,
    list
  }
}

function decode(latin1: string): string {
  return /[\x80-\xff]/.test(latin1) ? Buffer.from(latin1, 'latin1').toString('utf8') : latin1
}
