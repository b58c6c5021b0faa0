import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlSlug } from './url-slug.ts'

test('the slug of a URL has no punctuation and hyphens for spaces', () => {
  const rows: [string, string][] = [
    ['Test Trello::Card.create', 'test-trellocardcreate'],
    ['  Two   words ', 'two-words'],
    ['A - b', 'a-b'],
    ['Brücke Ü', 'brücke-ü'],
    ['橋', '橋'],
    ['?!', '']
  ]
  for (const [name, slug] of rows) assert.equal(urlSlug(name), slug)
})
