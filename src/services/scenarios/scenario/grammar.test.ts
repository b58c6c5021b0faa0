import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSpec, splitTags, writeSpec } from './grammar.ts'

test('names and arguments, in any spelling that people use', () => {
  const written = [
    { name: 'slow', args: ['1500'] },
    { name: 'flaky', args: ['1/3'] },
    { name: 'status', args: ['503', 'Try later'] }
  ]
  assert.deepEqual(parseSpec('slow:1500,flaky:1/3,status:503:Try later'), written)
  assert.deepEqual(parseSpec(' Slow : 1500 ,, FLAKY:1/3,status:503: Try later ,'), written)
  assert.equal(writeSpec(written), 'slow:1500,flaky:1/3,status:503:Try later')
  assert.deepEqual(parseSpec(''), [])
  assert.equal(parseSpec('x'.repeat(1001)), undefined)
})

test('tags are before the last @', () => {
  const check = (email: string, plain: string, tags: string[]) =>
    assert.deepEqual(splitTags(email), { email: plain, tags })
  check('eve.holt@reqres.in', 'eve.holt@reqres.in', [])
  check('eve.holt+locked@reqres.in', 'eve.holt@reqres.in', ['locked'])
  check('eve.holt+mfa+slow@reqres.in', 'eve.holt@reqres.in', ['mfa', 'slow'])
  check('eve+locked', 'eve', ['locked'])
  check('+@x', '@x', [''])
})
