import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slugOf } from './slug.ts'

test('a slug has ASCII letters and digits with single hyphens between them', () => {
  const cases: [text: string, slug: string][] = [
    ['Test Trello::Card.create', 'test-trellocardcreate'],
    ['Hello, World!', 'hello-world'],
    ['  many   spaces\tand\nlines ', 'many-spaces-and-lines'],
    ['--a -- b__c--', 'a-b-c'],
    ['a - b', 'a-b'],
    ['Ünïcödé Ångström', 'unicode-angstrom'],
    ['ﬁne ½ ①', 'fine-12-1'],
    ['İstanbul KELVIN \u212a', 'istanbul-kelvin-k'],
    ['Straße', 'strae'],
    ['日本語', ''],
    ['日本語 2024', '2024'],
    ['Привет world', 'world'],
    ['🎉 party 🎉', 'party'],
    ['../../etc/passwd', 'etcpasswd'],
    ['<script>', 'script'],
    ['a\u0000b\u202ec', 'abc'],
    ['\ud800', ''],
    ['...', ''],
    ['', '']
  ]
  for (const [text, slug] of cases) assert.equal(slugOf(text, 100), slug, JSON.stringify(text))
})

test('a slug is not longer than wanted and does not end with a hyphen', () => {
  assert.equal(slugOf('abc def', 5), 'abc-d')
  assert.equal(slugOf('abc def', 4), 'abc')
  assert.equal(slugOf('-abc', 3), 'abc')
  assert.equal(slugOf('abc', 0), '')
})
