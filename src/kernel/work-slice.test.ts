import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkSlice } from './work-slice.ts'

test('long work lets others have their turn of the event loop', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const slice = createWorkSlice(1)
  let pauses = 0
  const end = performance.now() + 10_000
  while (performance.now() < end && (pauses < 2 || turns < 2)) {
    if (!slice.isOver()) continue
    pauses++
    await slice.pause()
  }
  clearInterval(timer)
  assert.ok(pauses >= 2, `${pauses} pauses`)
  assert.ok(turns >= 2, `${turns} turns`)
})

test('short work has no pause', () => {
  const slice = createWorkSlice(10)
  for (let item = 0; item < 9; item++) assert.equal(slice.isOver(), false)
})
