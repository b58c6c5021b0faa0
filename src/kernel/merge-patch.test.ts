import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from './json.ts'
import { mergePatch } from './merge-patch.ts'

/** RFC 7396, appendix A. */
const CASES: [Json, Json, Json][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd']
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }]
]

test('the cases of RFC 7396, neither value changed', () => {
  for (const [target, patch, wanted] of CASES) {
    const before = structuredClone([target, patch])
    assert.deepEqual(mergePatch(target, patch), wanted, JSON.stringify(patch))
    assert.deepEqual([target, patch], before)
  }
})

test('members keep their order, new ones are last', () => {
  const merged = mergePatch({ b: 1, a: { z: 1, y: 2 } }, { c: 3, a: { y: 4, x: 5 } })
  assert.equal(JSON.stringify(merged), '{"b":1,"a":{"z":1,"y":4,"x":5},"c":3}')
})

test('inherited names are not members, and __proto__ may be one', () => {
  assert.deepEqual(mergePatch({}, { constructor: { a: null, b: 1 } }), { constructor: { b: 1 } })
  const merged = mergePatch(
    JSON.parse('{"__proto__":{"a":1}}'),
    JSON.parse('{"__proto__":{"b":2}}')
  )
  assert.equal(JSON.stringify(merged), '{"__proto__":{"a":1,"b":2}}')
  const removed = mergePatch(merged, JSON.parse('{"__proto__":null}'))
  assert.equal(JSON.stringify(removed), '{}')
})
