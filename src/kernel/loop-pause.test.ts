import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLoopPause } from './loop-pause.ts'

/** Longer than a test may take. */
const LONG_MS = 600_000

test('a pause ends after its time, or when the loop is woken', async () => {
  const { wait, wake } = createLoopPause()
  const began = performance.now()
  // Timers of a pause do not keep the process running.
  const running = setTimeout(() => {}, LONG_MS)
  await wait(20)
  clearTimeout(running)
  assert.ok(performance.now() - began >= 19)
  const waiting = wait(LONG_MS)
  wake()
  await waiting
})

test('a loop that is woken during its work has no pause, once', async () => {
  const { wait, wake } = createLoopPause()
  wake()
  wake()
  await wait(LONG_MS)
  let isOver = false
  const next = wait(LONG_MS).then(() => {
    isOver = true
  })
  await nextTurn()
  assert.equal(isOver, false)
  wake()
  await next
})
