import { dateRange } from './date-range.ts'
import { foldLabel } from './index-words.ts'
import {
  type SearchOperators,
  type SearchQuery,
  SearchSyntaxError,
  type SearchTerm
} from './query.ts'
import { words } from './words.ts'

/** In UTF-16 units. */
export const MAX_QUERY_LENGTH = 500
/** Words and labels, those in phrases included. */
export const MAX_QUERY_WORDS = 64

/** Phones write these for `"`. */
const QUOTES = /[\u201c-\u201f]/g
/** Spaces, or a term: sign, operator with its colon, quoted or plain value. */
const TERM = /\s+|(-?)(?:([a-z]+):(?!\/\/))?(?:"([^"]*)("?)|([^\s"]*))/giy

interface Term {
  offset: number
  isExcluded: boolean
  /** Operator in lower case, undefined for words. */
  operator: string | undefined
  value: string
  valueOffset: number
}

/** Throws `SearchSyntaxError`. */
export function parseQuery(text: string, operators: SearchOperators): SearchQuery {
  if (text.length > MAX_QUERY_LENGTH) {
    throw new SearchSyntaxError(
      `The query has more than ${MAX_QUERY_LENGTH} characters; shorten it.`,
      MAX_QUERY_LENGTH
    )
  }
  const required: SearchTerm[] = []
  const excluded: SearchTerm[] = []
  const dates: { since?: number; until?: number } = {}
  let count = 0
  for (const term of splitTerms(text, operators)) {
    const operator = term.operator === undefined ? undefined : operators[term.operator]
    if (operator?.kind === 'since' || operator?.kind === 'until') {
      addDate(dates, operator.kind, term)
      continue
    }
    const parsed = readTerm(term, operators)
    if (parsed === undefined) continue
    count += parsed.kind === 'phrase' ? parsed.words.length : 1
    if (count > MAX_QUERY_WORDS) {
      throw new SearchSyntaxError(
        `The query has more than ${MAX_QUERY_WORDS} words; remove some.`,
        term.offset
      )
    }
    const list = term.isExcluded ? excluded : required
    list.push(parsed)
  }
  requireCondition(required, excluded, dates)
  return { required, excluded, ...dates }
}

function* splitTerms(text: string, operators: SearchOperators): Generator<Term> {
  const plain = text.replace(QUOTES, '"')
  for (let offset = 0; offset < plain.length; ) {
    TERM.lastIndex = offset
    const [found = '', sign, name, quoted, endQuote, bare] = TERM.exec(plain) ?? []
    const start = offset
    // A term is never empty, because it starts with a character other than a space.
    offset += found.length
    if (sign === undefined) continue
    if (endQuote === '') {
      const message = 'A quotation mark is not closed; add one at the end of the phrase.'
      throw new SearchSyntaxError(message, plain.indexOf('"', start))
    }
    const value = quoted ?? bare ?? ''
    const operator = operatorOf(name, value, operators, start + sign.length)
    const valueOffset = start + sign.length + (name === undefined ? 0 : name.length + 1)
    const isWord = name !== undefined && operator === undefined
    yield {
      offset: start,
      isExcluded: sign !== '',
      operator,
      value: isWord ? name : value,
      valueOffset
    }
  }
}

/** Undefined for words; a name that is no operator and has no value is a word with a colon. */
function operatorOf(
  name: string | undefined,
  value: string,
  operators: SearchOperators,
  offset: number
): string | undefined {
  const operator = name?.toLowerCase()
  if (operator === undefined || Object.hasOwn(operators, operator)) return operator
  if (value === '') return undefined
  const known = Object.keys(operators).map((one) => `${one}:`)
  const advice = known.length === 0 ? '' : `use ${known.join(', ')} or `
  throw new SearchSyntaxError(
    `There is no operator ${operator}: here; ${advice}put the text in quotation marks to search for it.`,
    offset
  )
}

/** Undefined if it has no letter, digit or emoji. */
function readTerm(term: Term, operators: SearchOperators): SearchTerm | undefined {
  const { operator: name, value } = term
  if (name === undefined) {
    const found = words(value)
    return found.length === 0 ? undefined : { kind: 'phrase', words: found }
  }
  const operator = operators[name]
  if (operator?.kind !== 'label') return undefined
  const label = foldLabel(operator.normalise?.(value) ?? value)
  if (operator.values !== undefined && !operator.values.some((one) => foldLabel(one) === label)) {
    const message = `${name}: must be followed by ${inWords(operator.values)}.`
    throw new SearchSyntaxError(message, term.valueOffset)
  }
  if (label === '') {
    const message = `${name}: must be followed by a value, without a space.`
    throw new SearchSyntaxError(message, term.valueOffset)
  }
  return { kind: 'label', name, value: label }
}

/** Of several dates the narrowest range counts, as all conditions must be met. */
function addDate(
  dates: { since?: number; until?: number },
  kind: 'since' | 'until',
  term: Term
): void {
  if (term.isExcluded) {
    const other = kind === 'since' ? 'until' : 'since'
    const message = `${kind}: cannot be excluded; use ${other}: instead.`
    throw new SearchSyntaxError(message, term.offset)
  }
  const range = dateRange(term.value)
  if (range === undefined) {
    const message = `${kind}: must be followed by a date such as 2024-05-31, 2024-05 or 2024.`
    throw new SearchSyntaxError(message, term.valueOffset)
  }
  if (kind === 'since') dates.since = Math.max(range.first, dates.since ?? range.first)
  else dates.until = Math.min(range.last, dates.until ?? range.last)
}

function requireCondition(
  required: readonly SearchTerm[],
  excluded: readonly SearchTerm[],
  dates: { since?: number; until?: number }
): void {
  if (required.length > 0 || dates.since !== undefined || dates.until !== undefined) return
  throw new SearchSyntaxError(
    excluded.length > 0
      ? 'The query only excludes words; add a word to search for.'
      : 'The query has no words; write a word to search for.',
    0
  )
}

/** `a`, `a or b`, `a, b or c`. */
function inWords(values: readonly string[]): string {
  const last = values.at(-1) ?? ''
  return values.length < 2 ? last : `${values.slice(0, -1).join(', ')} or ${last}`
}
