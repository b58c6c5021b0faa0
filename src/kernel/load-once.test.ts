import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadOnce } from './load-once.ts'

test('it is loaded once, and again only after an error', async () => {
  let calls = 0
  const load = loadOnce(async () => {
    calls++
    if (calls === 1) throw new Error('not yet')
    return calls
  })
  const together = await Promise.allSettled([load(), load()])
  assert.deepEqual(
    together.map(({ status }) => status),
    ['rejected', 'rejected']
  )
  assert.equal(calls, 1)
  assert.deepEqual(await Promise.all([load(), load()]), [2, 2])
  assert.equal(await load(), 2)
})
