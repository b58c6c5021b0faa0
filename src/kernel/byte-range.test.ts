import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRange } from './byte-range.ts'

test('one range of bytes is satisfied, cut or rejected; anything else is ignored', () => {
  const cases = [
    ['bytes=0-', { start: 0, end: 9 }],
    ['bytes = 2 - 3', { start: 2, end: 3 }],
    ['BYTES=9-100', { start: 9, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-30', { start: 0, end: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=3-2', undefined],
    ['bytes=0-1,3-4', undefined],
    ['bytes=a-b', undefined],
    ['items=0-1', undefined],
    [undefined, undefined]
  ] as const
  for (const [header, expected] of cases) assert.deepEqual(parseRange(header, 10), expected, header)
})
