import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_QUERY_LENGTH, MAX_QUERY_WORDS, parseQuery } from './parse-query.ts'
import { type SearchOperators, SearchSyntaxError } from './query.ts'

const OPERATORS: SearchOperators = {
  from: { kind: 'label', normalise: (value) => value.replace(/^@/, '') },
  has: { kind: 'label', values: ['media', 'link'] },
  since: { kind: 'since' },
  until: { kind: 'until' }
}

/** One string per term: `+a b` is a required phrase, `-from=ada` an excluded label. */
function summary(text: string): string[] {
  const { required, excluded, since, until } = parseQuery(text, OPERATORS)
  const signed = [
    ...required.map((term) => ['+', term] as const),
    ...excluded.map((term) => ['-', term] as const)
  ]
  return [
    ...signed.map(([sign, term]) =>
      term.kind === 'phrase'
        ? `${sign}${term.words.join(' ')}`
        : `${sign}${term.name}=${term.value}`
    ),
    ...(since === undefined ? [] : [`since ${new Date(since).toISOString()}`]),
    ...(until === undefined ? [] : [`until ${new Date(until).toISOString()}`])
  ]
}

const ACCEPTED: readonly (readonly [text: string, ...expected: string[]])[] = [
  ['Crème  brûlée', '+creme', '+brulee'],
  ['"crème brûlée" x', '+creme brulee', '+x'],
  ['“crème brûlée”', '+creme brulee'],
  ['a -b -"c d"', '+a', '-b', '-c d'],
  ["don't 東京 foo.bar", '+don t', '+東 京', '+foo bar'],
  ['a"b c"d', '+a', '+b c', '+d'],
  ['from:@Ada HAS:Media', '+from=ada', '+has=media'],
  ['from:"Ada  L" -has:link', '+from=ada  l', '-has=link'],
  ['since:2024-02', 'since 2024-02-01T00:00:00.000Z'],
  ['until:"2024-02" a', '+a', 'until 2024-02-29T23:59:59.999Z'],
  ['until:2024 until:2023-12-31', 'until 2023-12-31T23:59:59.999Z'],
  [
    'since:2024-05-31 until:2024-05-31 -a',
    '-a',
    'since 2024-05-31T00:00:00.000Z',
    'until 2024-05-31T23:59:59.999Z'
  ],
  ['since:0001', 'since 0001-01-01T00:00:00.000Z'],
  ['https://example.org/a', '+https example org a'],
  ['"re:x" Note: 10:30', '+re x', '+note', '+10 30'],
  ['a - "" ! --', '+a'],
  ['🎉', '+🎉']
]

for (const [text, ...expected] of ACCEPTED) {
  test(`query ${text}`, () => assert.deepEqual(summary(text), expected))
}

const REJECTED: readonly (readonly [text: string, position: number, message: RegExp])[] = [
  ['a "b c', 3, /quotation mark is not closed; add/],
  ['from:"ada', 6, /quotation mark is not closed/],
  ['a re:b', 3, /no operator re: here; use from:, has:, since:, until: or put/],
  ['-toString:b', 2, /no operator tostring:/],
  ['a since:2024-02-30', 9, /since: must be followed by a date such as/],
  ['until:', 7, /until: must be followed by a date/],
  ['until:24', 7, /until: must be followed by a date/],
  ['a -until:2024', 3, /until: cannot be excluded; use since:/],
  ['has:video', 5, /has: must be followed by media or link\./],
  ['from: ada', 6, /from: must be followed by a value, without a space/],
  ['-a -"b c"', 1, /only excludes words; add/],
  ['-from:ada', 1, /only excludes words/],
  ['', 1, /no words; write/],
  [' !? "" ', 1, /no words/],
  ['a'.repeat(MAX_QUERY_LENGTH + 1), MAX_QUERY_LENGTH + 1, /more than 500 characters/],
  ['a '.repeat(MAX_QUERY_WORDS + 1), 2 * MAX_QUERY_WORDS + 1, /more than 64 words/],
  [`"${'京'.repeat(MAX_QUERY_WORDS + 1)}"`, 1, /more than 64 words/]
]

for (const [text, position, message] of REJECTED) {
  test(`rejected query ${text.slice(0, 40)}`, () => {
    assert.throws(
      () => parseQuery(text, OPERATORS),
      (error) => {
        assert.ok(error instanceof SearchSyntaxError)
        assert.match(error.message, message)
        assert.match(error.message, /^[^\n]+\.$/)
        assert.equal(error.position, position)
        return true
      }
    )
  })
}
