import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonical, findEqual, isEqual } from './json-equality.ts'

test('the order of properties does not count, that of items does', () => {
  assert.equal(
    canonical({ b: [1, { d: null, c: 'x' }], a: {} }),
    '{"a":{},"b":[1,{"c":"x","d":null}]}'
  )
  assert.equal(isEqual({ a: 1, b: 2 }, { b: 2, a: 1 }), true)
  assert.equal(isEqual({ 2: 'a', 10: 'b' }, { 10: 'b', 2: 'a' }), true)
  assert.equal(isEqual([1, 2], [2, 1]), false)
  assert.equal(isEqual({ a: 1 }, { a: 1, b: 1 }), false)
})

test('types count, and names that objects inherit are names like any other', () => {
  assert.equal(isEqual(1, '1'), false)
  assert.equal(isEqual([], {}), false)
  assert.equal(isEqual(null, {}), false)
  assert.equal(isEqual('[]', []), false)
  assert.equal(isEqual({ toString: 1, valueOf: 2 }, { valueOf: 2, toString: 1 }), true)
  assert.equal(isEqual(JSON.parse('{"__proto__":1}'), {}), false)
})

test('the first equal pair is found, the later index first', () => {
  assert.deepEqual(findEqual([1, '1', [1], { a: 1 }, null, true, '[1]']), undefined)
  assert.deepEqual(findEqual([1, 2, 3, 2, 1]), [3, 1])
  assert.deepEqual(findEqual([{ a: 1, b: 2 }, 'x', { b: 2, a: 1 }]), [2, 0])
})

test('each key is reported before it is looked up, and the search can be ended', () => {
  const keys: string[] = []
  findEqual(['a', { b: 1 }, 'a', 'never'], (key) => keys.push(key))
  assert.deepEqual(keys, ['"a"', '{"b":1}', '"a"'])
  const stop = new Error('enough')
  const search = () =>
    findEqual([1, 1], () => {
      throw stop
    })
  assert.throws(search, stop)
})

test('a hundred thousand levels are compared', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}']
  ] as const) {
    const text = `${open.repeat(100_000)}1${close.repeat(100_000)}`
    assert.equal(canonical(JSON.parse(text)), text)
  }
})
