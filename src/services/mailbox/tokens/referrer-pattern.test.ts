import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesReferrer } from './referrer-pattern.ts'

test('an asterisk stands for any characters, also for none', () => {
  const cases: [pattern: string, text: string, expected: boolean][] = [
    ['https://example.com/', 'https://example.com/', true],
    ['https://example.com/', 'https://example.com/x', false],
    ['https://example.com/*', 'https://EXAMPLE.com/', true],
    ['https://example.com/*', 'https://example.com.evil.test/', false],
    ['*//example.com/*', 'https://example.com/a/b?c', true],
    ['*.example.com/*', 'https://app.example.com/', true],
    ['*.example.com/*', 'https://example.com/', false],
    ['*', '', true],
    ['a*b*c', 'a1b2c', true],
    ['a*b*c', 'abbc', true],
    ['a*b*c', 'acb', false],
    ['ab*b', 'ab', false],
    ['**', 'anything', true],
    ['', '', true],
    ['', 'x', false]
  ]
  for (const [pattern, text, expected] of cases) {
    assert.equal(matchesReferrer(pattern, text), expected, `${pattern} and ${text}`)
  }
})

test('many asterisks take no long time', () => {
  assert.equal(matchesReferrer(`${'a*'.repeat(500)}b`, 'a'.repeat(50_000)), false)
})
