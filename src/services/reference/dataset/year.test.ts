import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseYear } from './year.ts'

const era = { before: 'BXX', after: 'AXX', event: '' }

test('years before the event are negative', () => {
  const rows: [string, number | undefined][] = [
    ['19BXX', -19],
    ['41.9BXX', -41.9],
    ['0AXX', 0],
    ['7AXX', 7],
    ['7AYY', undefined],
    ['7 AXX', undefined],
    ['x7AXX', undefined],
    ['7AXXY', undefined],
    ['unknown', undefined]
  ]
  for (const [text, wanted] of rows) assert.equal(parseYear(text, era), wanted, text)
})
