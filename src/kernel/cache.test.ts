import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCache } from './cache.ts'

function createFilled(limit: number, ...keys: string[]) {
  const cache = createCache<string>(limit, (value) => value.length)
  for (const key of keys) cache.set(key, 'xx')
  return cache
}

test('what was put in comes out', () => {
  const cache = createFilled(10, 'a')
  assert.equal(cache.get('a'), 'xx')
  assert.equal(cache.get('b'), undefined)
})

test('the limit itself still fits', () => {
  assert.equal(createFilled(4, 'a', 'b').get('a'), 'xx')
})

test('beyond the limit the oldest goes, and only it', () => {
  const cache = createFilled(4, 'a', 'b', 'c')
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [undefined, 'xx', 'xx'])
})

test('what was read lately stays', () => {
  const cache = createFilled(4, 'a', 'b')
  cache.get('a')
  cache.set('c', 'xx')
  assert.deepEqual([cache.get('a'), cache.get('b')], ['xx', undefined])
})

test('what was read is spared once, not for ever', () => {
  const cache = createFilled(4, 'a', 'b')
  cache.get('a')
  for (const key of ['c', 'd', 'e']) cache.set(key, 'xx')
  assert.deepEqual([cache.get('a'), cache.get('d'), cache.get('e')], [undefined, 'xx', 'xx'])
})

test('a value put in again counts once', () => {
  const cache = createFilled(4, 'a', 'a', 'b')
  assert.deepEqual([cache.get('a'), cache.get('b')], ['xx', 'xx'])
})

test('a value heavier than the limit is not kept, and leaves room', () => {
  const cache = createFilled(4, 'a')
  cache.set('big', 'xxxxx')
  assert.equal(cache.get('big'), undefined)
  cache.set('b', 'xx')
  cache.set('c', 'xx')
  assert.deepEqual([cache.get('b'), cache.get('c')], ['xx', 'xx'])
})

test('keys have weight too, if told so', () => {
  const cache = createCache<string>(10, (value, key) => value.length + key.length)
  cache.set('long key', 'xx')
  cache.set('k', 'x')
  assert.deepEqual([cache.get('long key'), cache.get('k')], [undefined, 'x'])
  cache.set('longer key', 'x')
  assert.deepEqual([cache.get('k'), cache.get('longer key')], ['x', undefined])
})
