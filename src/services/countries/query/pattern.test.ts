import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileGlob, compileRegex } from './pattern.ts'

const GLOBS: readonly [string, string, boolean][] = [
  ['', '', true],
  ['', 'a', false],
  ['*', '', true],
  ['*', 'anything', true],
  ['a*', 'abc', true],
  ['a*', 'bac', false],
  ['*c', 'abc', true],
  ['*c', 'abcd', false],
  ['a*c', 'abbbc', true],
  ['a*b*c', 'aXbXbYc', true],
  ['a*b*c', 'aXcXb', false],
  ['?', '', false],
  ['?', 'a', true],
  ['?b', 'ab', true],
  ['a?', 'a', false],
  ['**', 'a', true],
  ['*?*', '', false],
  ['[a]', 'a', false],
  ['a.c', 'abc', false],
  ['(', '(', true]
]
for (const [pattern, text, expected] of GLOBS) {
  test(`glob ${pattern} and ${text}: ${expected}`, () => {
    assert.equal(compileGlob(pattern)(text), expected)
  })
}

const REGEXES: readonly [string, string, boolean][] = [
  ['', 'anything', true],
  ['b', 'abc', true],
  ['^b', 'abc', false],
  ['^(A|B).*z$', 'Belize z', true],
  ['(?i)brazil', 'BRAZIL', true],
  ['\\d{2,3}', 'a123', true],
  ['^\\p{Lu}\\p{Ll}+$', 'Österreich', true],
  ['^.{2}$', '日本', true],
  ['[[:alpha:]]', '1', false],
  ['(?<year>\\d+)', '1', true],
  ['\\/', '/', true]
]
for (const [pattern, text, expected] of REGEXES) {
  test(`regex ${pattern} and ${text}: ${expected}`, () => {
    assert.equal(compileRegex(pattern)(text), expected)
    assert.equal(compileRegex(pattern)(text), expected, 'the cached program too')
  })
}

for (const pattern of ['(', '[', '*', 'a**', '(?=a)', '(?<!a)', '(a)\\1', 'a{2,1}', '\\']) {
  test(`regex ${pattern} is rejected`, () => {
    assert.throws(() => compileRegex(pattern), /^This regex cannot be used: /)
  })
}

for (const pattern of ['a{2001}', '(a{50}){50}', '((a{9}){9}){9}', 'a{9}b{9}c{9}d{9}']) {
  test(`regex ${pattern} repeats too much`, () => {
    assert.throws(() => compileRegex(pattern), /^This regex has too many repetitions$/)
  })
}
