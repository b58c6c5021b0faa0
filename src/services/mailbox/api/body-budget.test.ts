import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { countedBytes, createBodyBudget } from './body-budget.ts'

const MIB = 1024 * 1024
const limits = { most: 10, mostOfAccount: 6, waitMs: 5000 }

test('what does not fit waits until enough is given back, for its account and for all', async () => {
  const { take } = createBodyBudget(limits)
  const first = await take('a', 6)
  const ended: string[] = []
  const sameAccount = take('a', 1).then(() => ended.push('same account'))
  const other = await take('b', 4)
  const another = take('c', 1).then(() => ended.push('another account'))
  await wait(5)
  assert.deepEqual(ended, [])
  other()
  other()
  await another
  assert.deepEqual(ended, ['another account'])
  first()
  await sameAccount
  await take('b', 6)
})

test('what waits for too long is rejected, and takes nothing', async () => {
  const { take } = createBodyBudget({ ...limits, waitMs: 20 })
  const release = await take('a', 6)
  await assert.rejects(take('a', 6), { code: 'WORKER_NOT_AVAILABLE', statusCode: 503 })
  release()
  await take('a', 6)
})

test('only large bodies are counted, and those without a length as the largest', () => {
  const counted = (headers: Record<string, string>, most = 50 * MIB) =>
    countedBytes(Object.assign(new IncomingMessage(new Socket()), { headers }), most)
  assert.equal(counted({}), 0)
  assert.equal(counted({ 'content-length': String(MIB) }), 0)
  assert.equal(counted({ 'content-length': String(2 * MIB) }), 2 * MIB)
  assert.equal(counted({ 'content-length': String(60 * MIB) }), 0)
  assert.equal(counted({ 'transfer-encoding': 'chunked' }), 50 * MIB)
  assert.equal(counted({ 'transfer-encoding': 'chunked' }, MIB), 0)
})
