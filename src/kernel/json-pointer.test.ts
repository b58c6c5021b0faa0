import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAt, formatPointer, parsePointer, splitPointer } from './json-pointer.ts'

/** The table of RFC 6901, section 5. */
const DOCUMENT = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8
}
const POINTERS: Readonly<Record<string, unknown>> = {
  '': DOCUMENT,
  '/foo': DOCUMENT.foo,
  '/foo/0': 'bar',
  '/': 0,
  '/a~1b': 1,
  '/c%d': 2,
  '/e^f': 3,
  '/g|h': 4,
  '/i\\j': 5,
  '/k"l': 6,
  '/ ': 7,
  '/m~0n': 8
}

test('the pointers of RFC 6901 are parsed, resolved and formatted', () => {
  for (const [pointer, value] of Object.entries(POINTERS)) {
    const parsed = parsePointer(pointer)
    assert.ok(parsed.error === undefined, pointer)
    assert.deepEqual(findAt(DOCUMENT, parsed.tokens), value, pointer)
    assert.equal(formatPointer(parsed.tokens), pointer)
    assert.deepEqual(splitPointer(pointer), parsed.tokens)
  }
})

test('~01 is an escaped ~ before a 1, not a slash', () => {
  assert.deepEqual(parsePointer('/~01'), { tokens: ['~1'] })
  assert.equal(formatPointer(['~1', '/']), '/~01/~1')
})

test('an invalid pointer is reported by its first error', () => {
  assert.deepEqual(parsePointer('foo'), { error: 'start' })
  assert.deepEqual(parsePointer('foo~'), { error: 'start' })
  for (const pointer of ['/~', '/a~', '/~2', '/~~0']) {
    assert.deepEqual(parsePointer(pointer), { error: 'escape' }, pointer)
  }
  assert.deepEqual(splitPointer('/a~/~2'), ['a~', '~2'])
})

test('only own members and elements are found', () => {
  assert.equal(findAt({}, ['constructor']), undefined)
  assert.equal(findAt(JSON.parse('{"__proto__":1}'), ['__proto__']), 1)
  assert.equal(findAt([1, 2], ['length']), undefined)
  assert.equal(findAt([1, 2], ['-']), undefined)
  assert.equal(findAt([1, 2], ['2']), undefined)
  assert.equal(findAt('text', ['0']), undefined)
  assert.equal(findAt({ a: null }, ['a']), null)
  assert.equal(findAt({ a: null }, ['a', 'b']), undefined)
})
