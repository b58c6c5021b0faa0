import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { countText, linePoints, lineTitle, sizeText } from './figures.ts'

describe('figures of the start page', () => {
  test('counts have separators', () => {
    assert.equal(countText(1204), '1,204')
  })

  test('sizes have at most three digits', () => {
    const sizes = [0, 999, 1000, 9_949, 262_234, 999_499, 999_500, 1_240_000, 5e12, 5e15]
    assert.deepEqual(sizes.map(sizeText), [
      ...['0 B', '999 B', '1.0 kB', '9.9 kB', '262 kB'],
      ...['999 kB', '1.0 MB', '1.2 MB', '5.0 TB', '5000 TB']
    ])
  })

  test('a line uses the whole width, and its height only with enough requests', () => {
    assert.equal(linePoints([0, 0, 0]), '0,22 38,22 76,22')
    assert.equal(linePoints([0, 1]), '0,22 76,17')
    assert.equal(linePoints([8, 4, 0]), '0,2 38,12 76,22')
    assert.equal(linePoints([]), '')
  })

  test('the title of a line names the sum', () => {
    assert.equal(lineTitle([0, 1, 0]), '1 request in the last 3 minutes')
    assert.equal(lineTitle([1000, 1]), '1,001 requests in the last 2 minutes')
  })
})
