import assert from 'node:assert/strict'
import { test } from 'node:test'
import { etagOf, matchesEtag } from './etag.ts'

test('a validator is strong, quoted, and differs with the bytes', () => {
  assert.match(etagOf('a'), /^"[\w-]{27}"$/)
  assert.equal(etagOf('a'), etagOf(Buffer.from('a')))
  assert.notEqual(etagOf('a'), etagOf('b'))
})

test('If-None-Match may be one tag, a list, a weak tag, or a star', () => {
  for (const header of ['"x"', ' "x"', 'W/"x"', '"a", "x"', '"a",W/"x"', '*', ' * ']) {
    assert.ok(matchesEtag(header, '"x"'), header)
  }
  for (const header of [undefined, '', 'x', '"xx"', '"a", "b"', '"*"']) {
    assert.ok(!matchesEtag(header, '"x"'), header)
  }
})
