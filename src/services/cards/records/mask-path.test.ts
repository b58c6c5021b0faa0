import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskPath } from './mask-path.ts'

const SECRET = 'abc1'.repeat(16)

test('paths are shown without tokens', () => {
  assert.equal(maskPath(`/1/tokens/${SECRET}/member`), '/1/tokens/[token]/member')
  assert.equal(maskPath('/1/TOKEN//short/'), '/1/TOKEN//[token]/')
  assert.equal(maskPath(`/1/%74okens/%61${SECRET.slice(1)}`), '/1/%74okens/[token]')
  assert.equal(maskPath(`/1/boards/pk_${'a'.repeat(20)}`), '/1/boards/[token]')
  assert.equal(maskPath('/1/boards/%ff'), '/1/boards/[token]')
})

test('other paths stay as they are', () => {
  for (const path of ['/', '/1/boards/65f1c0de65f1c0de65f1c0de/lists', `/images/${SECRET}.png`]) {
    assert.equal(maskPath(path), path)
  }
})
