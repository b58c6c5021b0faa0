import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Interruptible, runAtOnce, runInTurns } from './turns.ts'
import { PAUSE } from './work.ts'

/** Works for some milliseconds, with a pause after each of them. */
function* busyFor(milliseconds: number, result: string): Interruptible<string> {
  for (let count = 0; count < milliseconds; count += 1) {
    const until = performance.now() + 1
    while (performance.now() < until);
    yield PAUSE
  }
  return result
}

test('a short computation ends at once, without a promise', () => {
  assert.equal(runInTurns(busyFor(0, 'done')), 'done')
  assert.equal(runAtOnce(busyFor(3, 'done')), 'done')
})

test('long computations take turns with each other and with the event loop', async () => {
  const order: string[] = []
  const note = async (name: string) => order.push(name)
  const long = Promise.resolve(runInTurns(busyFor(100, 'long'))).then(note)
  const short = Promise.resolve(runInTurns(busyFor(20, 'short'))).then(note)
  const event = new Promise((resolve) => setImmediate(resolve, 'event')).then(() => note('event'))
  await Promise.all([long, short, event])
  assert.deepEqual(order, ['event', 'short', 'long'])
})

test('an error rejects the promise, and the others go on', async () => {
  function* failing(): Interruptible<string> {
    yield* busyFor(30, '')
    throw new Error('on purpose')
  }
  const other = runInTurns(busyFor(40, 'other'))
  await assert.rejects(async () => runInTurns(failing()), /on purpose/)
  assert.equal(await other, 'other')
})
