import assert from 'node:assert/strict'
import { test } from 'node:test'
import { containersAtDepth, isDeeperThan, isObject } from './json.ts'

test('an object is neither null nor an array', () => {
  assert.ok(isObject({}))
  assert.ok(isObject(Object.create(null)))
  for (const value of [null, undefined, [], 'text', 1, true]) assert.ok(!isObject(value))
})

test('depth counts objects and arrays, not other values', () => {
  const cases: [unknown, number][] = [
    ['text', 0],
    [null, 0],
    [[], 1],
    [[1, 'text'], 1],
    [{ a: [] }, 2],
    [{ a: 1, b: { c: [{}] } }, 4]
  ]
  for (const [value, depth] of cases) {
    assert.equal(isDeeperThan(value, depth), false, JSON.stringify(value))
    if (depth > 0) assert.equal(isDeeperThan(value, depth - 1), true, JSON.stringify(value))
  }
})

test('the containers of a depth are nested in as many others', () => {
  const value = { a: [1, { b: 2 }], c: { d: [] } }
  assert.deepEqual([...containersAtDepth(value, 0)], [value])
  assert.deepEqual([...containersAtDepth(value, 1)], [value.a, value.c])
  assert.deepEqual([...containersAtDepth(value, 2)], [{ b: 2 }, []])
  assert.equal(containersAtDepth(value, 3).size, 0)
})

test('a value deeper than the stack is measured', () => {
  let value: unknown = []
  for (let depth = 1; depth < 50_000; depth++) value = [value]
  assert.equal(isDeeperThan(value, 49_999), true)
  assert.equal(isDeeperThan(value, 50_000), false)
})

test('an object that is contained many times is counted once per depth', () => {
  let value: unknown = []
  for (let depth = 1; depth < 100; depth++) value = [value, value]
  assert.equal(isDeeperThan(value, 99), true)
  assert.equal(isDeeperThan(value, 100), false)
})
