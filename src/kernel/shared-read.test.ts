import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSharedRead } from './shared-read.ts'

test('callers of one turn share a read, and later ones wait for the next', async () => {
  const share = createSharedRead<number>()
  const ends: (() => void)[] = []
  let reads = 0
  const read = async () => {
    const number = ++reads
    await new Promise<void>((resolve) => ends.push(resolve))
    return number
  }
  const first = [share('a', read), share('a', read)]
  const other = share('b', async () => 0)
  while (ends.length === 0) await new Promise(setImmediate)
  const second = [share('a', read), share('a', read)]
  await new Promise(setImmediate)
  assert.equal(reads, 1, 'one at a time')
  ends[0]?.()
  assert.deepEqual(await Promise.all(first), [1, 1])
  assert.equal(await other, 0)
  while (ends.length === 1) await new Promise(setImmediate)
  ends[1]?.()
  assert.deepEqual(await Promise.all(second), [2, 2])
})

test('an error is of the callers that share it, and the next read is tried', async () => {
  const share = createSharedRead<number>()
  const failing = () => Promise.reject(new Error('no'))
  const both = await Promise.allSettled([share('a', failing), share('a', failing)])
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected']
  )
  assert.equal(await share('a', async () => 3), 3)
})
