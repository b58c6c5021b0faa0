import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSeededRandom, hashCodePoints, hashUtf16 } from './seeded-random.ts'

test('the numbers of a seed never change', () => {
  const first = (seed: number) => {
    const next = createSeededRandom(seed)
    return [next(), next(), next()]
  }
  assert.deepEqual(first(0), [0.26642920868471265, 0.0003297457005828619, 0.2232720274478197])
  assert.deepEqual(first(1), [0.6270739405881613, 0.002735721180215478, 0.5274470399599522])
  assert.deepEqual(first(2 ** 32), first(0))
})

test('strings are hashed with FNV-1a', () => {
  const known: [string, number][] = [
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968]
  ]
  for (const [text, hash] of known) {
    assert.equal(hashUtf16(text), hash)
    assert.equal(hashCodePoints(text), hash)
  }
})

test('units and code points differ beyond the Basic Multilingual Plane only', () => {
  assert.equal(hashUtf16('über \u{ffff}'), hashCodePoints('über \u{ffff}'))
  assert.equal(hashUtf16('\u{1f600}'), 3409036472)
  assert.equal(hashCodePoints('\u{1f600}'), 105948959)
})
