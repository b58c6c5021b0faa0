import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePattern } from './pattern.ts'

function check(pattern: string, matching: string[], others: string[]): void {
  const compiled = compilePattern(pattern)
  for (const text of matching) assert.ok(compiled.test(text), `${pattern} ${text}`)
  for (const text of others) assert.ok(!compiled.test(text), `${pattern} ${text}`)
}

test('patterns match the same strings as in ECMAScript, natively or in the linear engine', () => {
  check('^[a-z]+$', ['abc'], ['', 'aB'])
  check('^\\d+(\\.\\d{1,2})?$', ['1', '1.25'], ['1.', '1.255'])
  check('^[a-z0-9]+(-[a-z0-9]+)*$', ['a-b-c'], ['a--b', '-'])
  check('(^|,)x?\\s*y+', ['\u00a0y', 'x\u2003y', ',y'], ['z'])
  check('^(.+)\\n?(.+)$', ['ab'], ['\u2028\u2028', 'a\rb'])
  check('^(\\p{Lu}|\\p{Script=Greek})+x*y*$', ['Éxy', 'αβ'], ['é'])
  check('^(?:[^])*a?b?$', ['\n'], [])
  check('^(a|[]|b)+c*d*$', ['ab'], ['x'])
  check('^\\w+\\W+\\S+$', ['a é'], ['a'])
})

test('repetitions that exclude the next character run natively and in linear time', () => {
  check('^[A-Z][a-z]+ [a-z]+$', ['Salix alba'], ['Salix  alba', 'salix alba', 'Salix Alba'])
  check('^\\d{1,3}\\.\\d+\\w*$', ['1.25', '123.4b'], ['1234.5', '.5'])
  check('^[^@]+@[^@]+$', ['a@b'], ['a@b@c', '@b'])
  check('^[a-f]+[^a-z]+x', ['abc12x'], ['abcx', 'abcg1x'])
  const words = Array.from({ length: 40 }, () => 'a'.repeat(5000))
  const row = compilePattern(`^${words.map(() => '[a-z]+').join(' ')}$`)
  assert.ok(row.test(words.join(' ')))
  assert.ok(!row.test(`${words.join(' ')}!`))
})

test('repetitions that may share a character use the linear engine', () => {
  const text = `${'a'.repeat(20_000)}!`
  check('^[a-z]+[a-z0-9]+[a-b]+$', ['aaa'], [text])
  check('^a+b?a+c?a+$', ['aaa'], [text])
  check('^\\w+\\d*_+\\w+$', ['a1_b'], [`${'_'.repeat(20_000)}!`])
  check('^\\u{1F600}+[\\u{1F600}-\\u{1F64F}]+x*$', ['\u{1F600}\u{1F601}'], ['\u{1F600}'])
})

test('lookaround runs natively where the rest cannot repeat in two ways', () => {
  check('^(?=.*[A-Z])(?=.*\\d).{8,}$', ['Abcdefg1'], ['abcdefg1', 'Ab1'])
  check('^(?!-)[a-z-]{3,9}$', ['ab-c'], ['-abc'])
})

test('escapes that are only valid without the unicode flag are accepted', () => {
  check('^a\\-b+c+$', ['a-bc'], ['abc'])
  check('^[\\w\\-\\.]+@x+\\_y$', ['a.b-c@x_y'], ['@x_y'])
})

test('hostile patterns take linear time', () => {
  const text = `${'a'.repeat(50_000)}!`
  check('^(a+)+$', ['aaa'], [text])
  check('^(a|a)*$', ['aa'], [text])
  check('(.*a){12}b', [], ['a'.repeat(3000)])
  check(`${'a?'.repeat(60)}${'a'.repeat(60)}$`, ['a'.repeat(60)], ['a'.repeat(59)])
  check('^[a-z]{0,5000}$', ['a'.repeat(5000)], ['a'.repeat(5001)])
})

test('a pattern that no engine runs safely is rejected with the reason', () => {
  for (const pattern of ['^(?!.*(a+)+b).*$', '(a+)\\1', '(?<=(a|aa)+)b', 'x*(?=y*z)']) {
    assert.throws(() => compilePattern(pattern), /exponential/, pattern)
  }
  assert.throws(() => compilePattern('('), /Unterminated group/)
  assert.throws(() => compilePattern('a'.repeat(20_001)), /at most 20000/)
  assert.throws(() => compilePattern('('.repeat(19_000)), Error)
})
