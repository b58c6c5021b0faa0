import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCache } from './cache.ts'

function createFilled(limit: number, ...keys: string[]) {
  const cache = createCache<string>(limit, (value) => value.length)
  for (const key of keys) cache.set(key, 'xx')
  return cache
}

test('a stored value is returned', () => {
  const cache = createFilled(10, 'a')
  assert.equal(cache.get('a'), 'xx')
  assert.equal(cache.get('b'), undefined)
})

test('a total equal to the limit is allowed', () => {
  assert.equal(createFilled(4, 'a', 'b').get('a'), 'xx')
})

test('beyond the limit the oldest entry is removed, and only it', () => {
  const cache = createFilled(4, 'a', 'b', 'c')
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [undefined, 'xx', 'xx'])
})

test('a recently read entry stays', () => {
  const cache = createFilled(4, 'a', 'b')
  cache.get('a')
  cache.set('c', 'xx')
  assert.deepEqual([cache.get('a'), cache.get('b')], ['xx', undefined])
})

test('an entry that was read is kept once, not for ever', () => {
  const cache = createFilled(4, 'a', 'b')
  cache.get('a')
  for (const key of ['c', 'd', 'e']) cache.set(key, 'xx')
  assert.deepEqual([cache.get('a'), cache.get('d'), cache.get('e')], [undefined, 'xx', 'xx'])
})

test('a value stored again counts once', () => {
  const cache = createFilled(4, 'a', 'a', 'b')
  assert.deepEqual([cache.get('a'), cache.get('b')], ['xx', 'xx'])
})

test('a value heavier than the limit is not kept and takes no space', () => {
  const cache = createFilled(4, 'a')
  cache.set('big', 'xxxxx')
  assert.equal(cache.get('big'), undefined)
  cache.set('b', 'xx')
  cache.set('c', 'xx')
  assert.deepEqual([cache.get('b'), cache.get('c')], ['xx', 'xx'])
})

test('the weight may include the key', () => {
  const cache = createCache<string>(10, (value, key) => value.length + key.length)
  cache.set('long key', 'xx')
  cache.set('k', 'x')
  assert.deepEqual([cache.get('long key'), cache.get('k')], [undefined, 'x'])
  cache.set('longer key', 'x')
  assert.deepEqual([cache.get('k'), cache.get('longer key')], ['x', undefined])
})

test('without weights the limit is a number of entries', () => {
  const cache = createCache<string>(2)
  for (const key of ['a', 'b', 'c']) cache.set(key, 'x'.repeat(100))
  assert.equal(cache.get('a'), undefined)
  assert.equal(cache.get('b')?.length, 100)
})

test('entries in use stay, others are created again', () => {
  const made: string[] = []
  const create = (key: string) => {
    made.push(key)
    return { key }
  }
  const cache = createCache<{ key: string }>(10)
  const kept = cache.getOrCreate('kept', create)
  for (let number = 0; number < 100; number++) {
    cache.getOrCreate(`${number}`, create)
    assert.equal(cache.getOrCreate('kept', create), kept)
  }
  assert.equal(made.filter((key) => key === 'kept').length, 1)
  cache.getOrCreate('0', create)
  assert.equal(made.filter((key) => key === '0').length, 2)
})

test('undefined is created once, and an error is not kept', () => {
  const cache = createCache<string | undefined>(10)
  let made = 0
  const create = () => {
    made += 1
    return undefined
  }
  cache.getOrCreate('a', create)
  cache.getOrCreate('a', create)
  assert.equal(made, 1)
  const fail = () => {
    throw new Error('no')
  }
  assert.throws(() => cache.getOrCreate('b', fail))
  assert.equal(
    cache.getOrCreate('b', () => 'made'),
    'made'
  )
})

test('a deleted entry makes space', () => {
  const cache = createFilled(4, 'a', 'b')
  cache.delete('a')
  assert.equal(cache.get('a'), undefined)
  cache.set('c', 'xx')
  assert.equal(cache.get('b'), 'xx')
  assert.equal(cache.get('c'), 'xx')
})
