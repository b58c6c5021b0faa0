import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createMinuteCounts } from './minute-counts.ts'

const MINUTE = 60_000

/** The last minutes with an event, so that expectations stay short. */
function countsAfter(events: readonly number[], now: number): number[] {
  const counts = createMinuteCounts()
  for (const event of events) counts.add(event)
  return counts.read(now)
}

function fifteen(...last: readonly number[]): number[] {
  return [...Array(15 - last.length).fill(0), ...last]
}

describe('counts per minute', () => {
  test('before the first event all counts are 0', () => {
    assert.deepEqual(countsAfter([], 3 * MINUTE), fifteen())
  })

  test('events of one minute are counted together, the current minute is last', () => {
    assert.deepEqual(countsAfter([0, 1, 59_999.9], 59_999.9), fifteen(3))
    assert.deepEqual(countsAfter([0, MINUTE, MINUTE], MINUTE), fifteen(1, 2))
  })

  test('minutes without an event are 0, also while no further event comes', () => {
    assert.deepEqual(countsAfter([0, 3 * MINUTE], 3 * MINUTE), fifteen(1, 0, 0, 1))
    assert.deepEqual(countsAfter([0], 2 * MINUTE), fifteen(1, 0, 0))
  })

  test('a minute is dropped after fifteen', () => {
    assert.deepEqual(countsAfter([0, 14 * MINUTE], 14 * MINUTE), [1, ...fifteen(1).slice(1)])
    assert.deepEqual(countsAfter([0, 15 * MINUTE], 15 * MINUTE), fifteen(1))
  })

  test('a long time without an event clears all of them', () => {
    const minutes = Array.from({ length: 20 }, (_, index) => index * MINUTE)
    assert.deepEqual(countsAfter(minutes, 19 * MINUTE), Array(15).fill(1))
    assert.deepEqual(countsAfter(minutes, 10_000 * MINUTE), fifteen())
    assert.deepEqual(countsAfter([...minutes, 10_000 * MINUTE], 10_000 * MINUTE), fifteen(1))
  })
})
