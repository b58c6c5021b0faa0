import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Recent } from './recent.ts'

test('what is in use stays, what is not is made again', () => {
  const made: string[] = []
  const create = (key: string) => {
    made.push(key)
    return { key }
  }
  const recent = new Recent<{ key: string }>(10)
  const kept = recent.get('kept', create)
  for (let number = 0; number < 100; number++) {
    recent.get(`${number}`, create)
    assert.equal(recent.get('kept', create), kept)
  }
  assert.equal(made.filter((key) => key === 'kept').length, 1)
  recent.get('0', create)
  assert.equal(made.filter((key) => key === '0').length, 2)
})
