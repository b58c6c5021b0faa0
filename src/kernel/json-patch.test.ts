import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from './json.ts'
import {
  applyPatchOperation,
  createCopyOnWrite,
  isPatchOperator,
  PatchError,
  type PatchErrorReason,
  type PatchOperation
} from './json-patch.ts'

function patch(target: Json, ...operations: readonly PatchOperation[]): Json {
  const container = createCopyOnWrite(target)
  for (const operation of operations) applyPatchOperation(container, operation)
  return container.root()
}

/** Most cases are from RFC 6902, appendix A. */
const APPLIED: [Json, PatchOperation, Json][] = [
  [{ foo: 'bar' }, { op: 'add', path: ['baz'], value: 'qux' }, { foo: 'bar', baz: 'qux' }],
  [{ foo: [1, 3] }, { op: 'add', path: ['foo', '1'], value: 2 }, { foo: [1, 2, 3] }],
  [{ foo: [1] }, { op: 'add', path: ['foo', '-'], value: 2 }, { foo: [1, 2] }],
  [{ foo: [1] }, { op: 'add', path: ['foo', '1'], value: 2 }, { foo: [1, 2] }],
  [{ foo: 1 }, { op: 'add', path: ['foo'], value: [2] }, { foo: [2] }],
  [{ foo: 1 }, { op: 'add', path: [], value: [2] }, [2]],
  [{ baz: 1, foo: 2 }, { op: 'remove', path: ['baz'] }, { foo: 2 }],
  [{ foo: [1, 2, 3] }, { op: 'remove', path: ['foo', '1'] }, { foo: [1, 3] }],
  [{ foo: 1 }, { op: 'remove', path: [] }, null],
  [
    { baz: 1, foo: 2 },
    { op: 'replace', path: ['baz'], value: 3 },
    { baz: 3, foo: 2 }
  ],
  [[1, 2], { op: 'replace', path: ['1'], value: 3 }, [1, 3]],
  [
    { foo: { bar: 1 }, qux: {} },
    { op: 'move', from: ['foo', 'bar'], path: ['qux', 'thud'] },
    { foo: {}, qux: { thud: 1 } }
  ],
  [[1, 2, 3], { op: 'move', from: ['0'], path: ['2'] }, [2, 3, 1]],
  [{ a: 1 }, { op: 'move', from: ['a'], path: ['a'] }, { a: 1 }],
  [{ a: { b: 1 } }, { op: 'copy', from: ['a'], path: ['a', 'c'] }, { a: { b: 1, c: { b: 1 } } }],
  [
    { a: { b: [1], c: 2 } },
    { op: 'test', path: ['a'], value: { c: 2, b: [1] } },
    { a: { b: [1], c: 2 } }
  ]
]

test('operations are applied, and the given value is not changed', () => {
  for (const [target, operation, wanted] of APPLIED) {
    const before = structuredClone(target)
    assert.deepEqual(patch(target, operation), wanted, JSON.stringify(operation))
    assert.deepEqual(target, before)
  }
})

test('an operation that cannot be applied is reported with its reason and path', () => {
  const target = { foo: [1, 2], bar: { baz: 1 } }
  const cases: [PatchOperation, PatchErrorReason, readonly string[]][] = [
    [{ op: 'add', path: ['nope', 'a'], value: 1 }, 'missing', ['nope', 'a']],
    [{ op: 'add', path: ['bar', 'baz', 'a'], value: 1 }, 'missing', ['bar', 'baz', 'a']],
    [{ op: 'add', path: ['foo', '3'], value: 1 }, 'missing', ['foo', '3']],
    [{ op: 'add', path: ['foo', '01'], value: 1 }, 'index', ['foo', '01']],
    [{ op: 'add', path: ['foo', 'x'], value: 1 }, 'index', ['foo', 'x']],
    [{ op: 'remove', path: ['foo', '-'] }, 'missing', ['foo', '-']],
    [{ op: 'remove', path: ['foo', '01'] }, 'index', ['foo', '01']],
    [{ op: 'replace', path: ['foo', '2'], value: 1 }, 'missing', ['foo', '2']],
    [{ op: 'replace', path: ['foo', '01'], value: 1 }, 'index', ['foo', '01']],
    [{ op: 'replace', path: ['bar', 'toString'], value: 1 }, 'missing', ['bar', 'toString']],
    [{ op: 'copy', from: ['nope'], path: ['a'] }, 'missing', ['nope']],
    [{ op: 'move', from: ['bar'], path: ['bar', 'baz'] }, 'inside', ['bar']],
    [{ op: 'test', path: ['foo', '0'], value: '1' }, 'test', ['foo', '0']],
    [{ op: 'test', path: ['nope'], value: 1 }, 'missing', ['nope']]
  ]
  for (const [operation, reason, path] of cases) {
    assert.throws(
      () => patch(target, operation),
      (error) => {
        assert.ok(error instanceof PatchError)
        assert.deepEqual([error.reason, error.path], [reason, path], JSON.stringify(operation))
        return true
      }
    )
  }
})

test('a copy is not changed by later operations on its source', () => {
  const copied = patch(
    { a: { b: [1] } },
    { op: 'copy', from: ['a'], path: ['c'] },
    { op: 'add', path: ['a', 'b', '-'], value: 2 },
    { op: 'add', path: ['c', 'd'], value: 3 }
  )
  assert.deepEqual(copied, { a: { b: [1, 2] }, c: { b: [1], d: 3 } })
})

test('unchanged parts are shared with the given value', () => {
  const target = { same: { a: 1 }, other: { b: 2 } }
  const patched = patch(target, { op: 'add', path: ['other', 'c'], value: 3 })
  assert.ok(typeof patched === 'object' && patched !== null && !Array.isArray(patched))
  assert.equal(patched.same, target.same)
})

test('a member named __proto__ is an ordinary member', () => {
  const patched = patch(
    JSON.parse('{"a":{"__proto__":1}}'),
    { op: 'replace', path: ['a', '__proto__'], value: 2 },
    { op: 'add', path: ['__proto__'], value: { b: 3 } },
    { op: 'add', path: ['__proto__', 'c'], value: 4 }
  )
  assert.equal(JSON.stringify(patched), '{"a":{"__proto__":2},"__proto__":{"b":3,"c":4}}')
  const removed = patch(patched, { op: 'remove', path: ['__proto__'] })
  assert.equal(JSON.stringify(removed), '{"a":{"__proto__":2}}')
})

test('a container is called before a value is inserted, and makes its own copies', () => {
  const admitted: unknown[] = []
  const container = {
    ...createCopyOnWrite({ a: [1] }, (value) => ({ copied: value })),
    admit: (value: Json, path: readonly string[]) => void admitted.push([value, path])
  }
  applyPatchOperation(container, { op: 'copy', from: ['a'], path: ['b'] })
  applyPatchOperation(container, { op: 'replace', path: ['a', '0'], value: 2 })
  applyPatchOperation(container, { op: 'remove', path: ['a', '0'] })
  assert.deepEqual(container.root(), { a: [], b: { copied: [1] } })
  assert.deepEqual(admitted, [
    [{ copied: [1] }, ['b']],
    [2, ['a', '0']]
  ])
})

test('there are six operators', () => {
  for (const op of ['add', 'remove', 'replace', 'move', 'copy', 'test'])
    assert.ok(isPatchOperator(op))
  for (const op of ['Add', '', 'toString', null, 1]) assert.ok(!isPatchOperator(op))
})
