import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createObjectIdGenerator } from './object-id.ts'

const now = () => new Date('2020-01-02T03:04:05.678Z')

test('an id is 24 lower-case hex digits and begins with its second', () => {
  const id = createObjectIdGenerator(now)()
  assert.match(id, /^[0-9a-f]{24}$/)
  assert.equal(Number.parseInt(id.slice(0, 8), 16), Date.parse('2020-01-02T03:04:05Z') / 1000)
})

test('no id repeats until the counter of a process wraps', () => {
  const nextId = createObjectIdGenerator(now)
  const ids = new Set(Array.from({ length: 100_000 }, nextId))
  assert.equal(ids.size, 100_000)
})

test('two processes differ in the middle', () => {
  const middle = (id: string) => id.slice(8, 18)
  assert.notEqual(middle(createObjectIdGenerator(now)()), middle(createObjectIdGenerator(now)()))
  const nextId = createObjectIdGenerator(now)
  assert.equal(middle(nextId()), middle(nextId()))
})

test('seconds past 2038 still fill 8 digits', () => {
  assert.match(createObjectIdGenerator(() => new Date('2099-01-01'))(), /^f2a52380[0-9a-f]{16}$/)
})

test('the counter begins in its lower half, so that ids keep their order for long', () => {
  for (let tries = 0; tries < 100; tries++) {
    assert.ok(Number.parseInt(createObjectIdGenerator(now)().slice(18), 16) <= 0x800000)
  }
})
