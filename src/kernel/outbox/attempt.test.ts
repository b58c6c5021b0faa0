import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markOf, runAttempt } from './attempt.ts'
import type { JobHandler, JobResult } from './job.ts'

const CLAIMED = {
  id: 'i',
  event_key: 'k',
  kind: 'send',
  lane: 'l',
  payload: '{}',
  attempts: 3,
  fence: 4,
  created_at: 1
}

const handlersWith = (handler: Partial<JobHandler>) => ({
  send: { run: async (): Promise<JobResult> => ({ state: 'done' }), ...handler }
})

test('a retry waits for what the handler says, by the result or by its back-off', () => {
  const retry = { state: 'retry', reason: 'no' } as const
  const handlers = handlersWith({ backoff: (attempt) => attempt * 10 + 0.4 })
  const mark = { id: 'i', fence: 4, state: 'waiting', error: 'no' }
  assert.deepEqual(markOf(CLAIMED, handlers, retry, 1_000), { ...mark, runAt: 1_030 })
  assert.deepEqual(markOf(CLAIMED, handlers, { ...retry, afterMs: 7 }, 1_000), {
    ...mark,
    runAt: 1_007
  })
})

test('a postponed job waits, and its attempt does not count', () => {
  const postponed = { state: 'postponed', afterMs: 70 } as const
  const mark = markOf(CLAIMED, handlersWith({ maxAttempts: 3 }), postponed, 1_000)
  const wanted = { id: 'i', fence: 4, state: 'waiting', runAt: 1_070, error: undefined }
  assert.deepEqual(mark, { ...wanted, isPostponed: true })
})

test('the last attempt makes a job dead', () => {
  const retry = { state: 'retry', reason: 'x'.repeat(600) } as const
  const mark = markOf(CLAIMED, handlersWith({ maxAttempts: 3 }), retry, 5)
  assert.deepEqual(mark, { id: 'i', fence: 4, state: 'dead', runAt: 5, error: 'x'.repeat(500) })
  assert.equal(markOf(CLAIMED, handlersWith({ maxAttempts: 4 }), retry, 5).state, 'waiting')
})

test('a job whose process ended in every attempt does not run once more', async () => {
  const handlers = handlersWith({ maxAttempts: 2, run: () => assert.fail('it runs') })
  const result = await runAttempt(CLAIMED, handlers, new AbortController())
  assert.deepEqual(result, { state: 'dead', reason: 'The process ended during the last attempt' })
})
