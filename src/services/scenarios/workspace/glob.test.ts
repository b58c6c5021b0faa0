import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesGlob } from './glob.ts'

function check(glob: string, matching: readonly string[], others: readonly string[]): void {
  for (const path of matching) assert.ok(matchesGlob(glob, path), `${glob} is for ${path}`)
  for (const path of others) assert.ok(!matchesGlob(glob, path), `${glob} is not for ${path}`)
}

test('a star stays within a segment, two stars do not', () => {
  check('/api/users', ['/api/users'], ['/api/users/1', '/api/user', '/api/users/'])
  check('/api/*', ['/api/users', '/api/'], ['/api/users/1', '/api'])
  check('/api/*/1', ['/api/users/1', '/api/x/1'], ['/api/users/2', '/api/a/b/1'])
  check('/api/**', ['/api/users', '/api/users/1'], ['/apis', '/w'])
  check('**/1', ['/api/users/1', '/1'], ['/api/users/11'])
  check('/a*b*c', ['/abc', '/axxbxxc', '/abbc'], ['/ab', '/a/bc'])
  check('', [''], ['/'])
})

test('characters that mean something in regular expressions mean themselves', () => {
  check('/api/a.b+c', ['/api/a.b+c'], ['/api/axb+c', '/api/a.bbc'])
  check('/(', ['/('], ['/'])
})

test('a glob that would backtrack often is matched quickly', () => {
  // As long as a request line may be; matching with backtracking would take hours.
  const path = `/${'a'.repeat(16_000)}`
  for (const star of ['*', '**']) {
    assert.equal(matchesGlob(`/${`${star}a`.repeat(150)}b`, path), false)
    assert.equal(matchesGlob(`/${`${star}a`.repeat(150)}`, path), true)
  }
})
