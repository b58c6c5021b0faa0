import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAvailability } from './availability.ts'

test('probes at the same time and soon after share one check', async () => {
  let checks = 0
  const available = createAvailability(
    async () => {
      checks += 1
      return 'gone'
    },
    'silent',
    { longestMs: 60_000, reuseMs: 60_000 }
  )
  const probes = await Promise.all(Array.from({ length: 100 }, available))
  assert.deepEqual(new Set([...probes, await available()]), new Set(['gone']))
  assert.equal(checks, 1)
})

test('a check that takes too long is not repeated, and its result counts when it ends', async () => {
  let checks = 0
  let end = (_reason: string | undefined) => {}
  const available = createAvailability(
    () => {
      checks += 1
      return new Promise((resolve) => {
        end = resolve
      })
    },
    'silent',
    { longestMs: 1, reuseMs: 60_000 }
  )
  assert.equal(await available(), 'silent')
  assert.equal(await available(), 'silent')
  assert.equal(checks, 1)
  end(undefined)
  await new Promise(setImmediate)
  assert.equal(await available(), undefined)
  assert.equal(checks, 1)
})
