import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyedQueue } from './keyed-queue.ts'

test('work for one key runs one after the other, work for others meanwhile', async () => {
  const inOrder = createKeyedQueue()
  const log: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = inOrder('a', async () => {
    log.push('a1 begins')
    await gate.promise
    log.push('a1 ends')
    throw new Error('failed')
  })
  const second = inOrder('a', async () => {
    log.push('a2')
    return 2
  })
  await inOrder('b', async () => log.push('b'))
  gate.resolve()
  await assert.rejects(first, /failed/)
  assert.equal(await second, 2)
  assert.deepEqual(log, ['a1 begins', 'b', 'a1 ends', 'a2'])
})
