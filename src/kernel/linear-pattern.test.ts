import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { RegExpParser } from '@eslint-community/regexpp'
import { compileLinear, compileOnce, measurePattern, respellRegExp } from './linear-pattern.ts'
import { toRe2 } from './re2-syntax.ts'

const { cache } = createRequire(import.meta.url)

function isEngineLoaded(): boolean {
  return Object.keys(cache).some((path) => path.includes('re2js'))
}

test('the engine is loaded with the first pattern', () => {
  assert.equal(isEngineLoaded(), false)
  compileLinear('a')
  assert.equal(isEngineLoaded(), true)
})

for (const isSteady of [false, true]) {
  const title = isSteady ? 'steady' : 'cached states'

  test(`a match is anywhere in the string, ${title}`, () => {
    const matches = compileLinear('b+$', { isSteady })
    assert.equal(matches('abb'), true)
    assert.equal(matches('abba'), false)
    assert.equal(matches('abb'), true, 'a second time')
  })

  test(`a bomb takes linear time, ${title}`, () => {
    const matches = compileLinear('^(a+)+$', { isSteady })
    assert.equal(matches('a'.repeat(50_000)), true)
    assert.equal(matches(`${'a'.repeat(50_000)}!`), false)
  })

  test(`a longer string than allowed does not match, ${title}`, () => {
    const matches = compileLinear('^a*$', { isSteady, maxTextLength: 3 })
    assert.equal(matches('aaa'), true)
    assert.equal(matches('aaaa'), false)
  })
}

for (const pattern of ['(?=a)', '(?<!a)', '(a)\\1', '(', 'a{2,1}']) {
  test(`${pattern} is rejected`, () => {
    assert.throws(() => compileLinear(pattern), { name: 'RE2JSSyntaxException' })
  })
}

test('syntax that only ECMAScript has is translated', () => {
  for (const [pattern, text] of [
    ['^\\u00e9\\u{1F600}$', 'é\u{1F600}'],
    ['^\\cA$', '\u0001'],
    ['^(?<year>\\d+)\\/$', '2024/'],
    ['', '']
  ] as const) {
    assert.equal(compileLinear(respellRegExp(pattern))(text), true, pattern)
  }
})

const STRINGS = [
  ...['', 'a', 'b', 'ab', 'aab', 'a b', 'a\u00a0b', 'a\nb', 'a\u2028b', 'é', 'α', '\u{1F600}'],
  ...['1', '_', 'A', 'a-b', ']', '\ufeff', '\u180e', '\u000b']
]

for (const pattern of [
  ...['a', '^a.b$', 'a\\sb', '^\\S$', '^[^]$', '[]', '^[^\\s]$', '\\bb', 'a\\Bb', '^\\w+$', '\\W'],
  ...['^\\D$', '^a{2}b?$', '(a|b){2,}', '(?:a)+?b', '^[\\]a-b]+$', '\\p{Script=Greek}', '\\P{L}'],
  ...['^\\u{1F600}$', '^.$', '^[\\d_]$']
]) {
  test(`${pattern} means in RE2 what it means in ECMAScript`, () => {
    const translated = toRe2(parse(pattern))
    assert.ok(translated !== undefined)
    const matches = compileLinear(translated)
    const expression = new RegExp(pattern, 'u')
    for (const text of STRINGS) {
      assert.equal(matches(text), expression.test(text), JSON.stringify(text))
    }
  })
}

for (const pattern of ['a(?=b)', '(?<!a)b', '(a)\\1', '(?<n>a)\\k<n>', '(?i:a)']) {
  test(`${pattern} cannot be written for RE2`, () => {
    assert.equal(toRe2(parse(pattern)), undefined)
  })
}

test('each pattern is compiled once, unless compiling fails', () => {
  let compilations = 0
  const compile = compileOnce((source) => {
    compilations += 1
    return { test: compileLinear(source) }
  })
  assert.equal(compile('a'), compile('a'))
  assert.notEqual(compile('a'), compile('b'))
  assert.equal(compilations, 2)
  assert.throws(() => compile('('))
  assert.throws(() => compile('('))
  assert.equal(compilations, 4)
})

const measured: [string, number, number][] = [
  ['', 0, 0],
  ['abc', 0, 3],
  ['a{3}', 3, 3],
  ['a{0}b{0,}', 0, 2],
  ['a{2,5}b{3,}', 8, 8],
  ['(ab){10}', 10, 30],
  ['((ab){10}c){10}', 20, 320],
  ['\\{5}\\x{2000}\\p{Greek}{2}', 2, 6],
  ['[{9}(\\]]{2}', 2, 2],
  ['[]{9}]{2}', 2, 2],
  ['[[:alpha:]{9}]{2}', 2, 2],
  ['(\\pL\\d){2}', 2, 6],
  ['\\\\{7}', 7, 7]
]

for (const [source, repeats, size] of measured) {
  test(`the repeats of ${source || 'nothing'}`, () => {
    assert.deepEqual(measurePattern(source), { repeats, size, hasQuotation: false })
  })
}

test('a quotation, which could hide repeats, is reported', () => {
  assert.equal(measurePattern('\\Q[\\E(a{9}){9}]').hasQuotation, true)
  assert.equal(measurePattern('\\\\Q').hasQuotation, false)
})

function parse(pattern: string) {
  const parser = new RegExpParser({ ecmaVersion: 2025 })
  return parser.parsePattern(pattern, 0, pattern.length, { unicode: true })
}
