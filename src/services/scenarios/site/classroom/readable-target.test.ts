import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readableTarget } from './readable-target.ts'

test('what was encoded is shown as it was meant', () => {
  assert.equal(readableTarget('/api/users?scenario=status%3A503'), '/api/users?scenario=status:503')
  assert.equal(readableTarget('/api/users?scenario=flaky%3A1%2F3'), '/api/users?scenario=flaky:1/3')
  assert.equal(readableTarget('/api/users?q=Zo%C3%AB%2C%20%F0%9F%98%80'), '/api/users?q=Zoë,%20😀')
})

test('what would read as another URL, or is not visible, stays encoded', () => {
  for (const target of [
    '/api/users?a=1%26b=2',
    '/api/users?a=1%23b',
    '/api/users?a=%2B%25',
    '/api/users?a=%00%E2%80%AE',
    '/api/users?a=%zz%C3'
  ]) {
    assert.equal(readableTarget(target), target)
  }
})
