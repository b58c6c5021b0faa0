import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOpenings } from './openings.ts'

const NEVER = new AbortController().signal

/** Opens connections that end when the test says so. */
function opener(openings = createOpenings(2, 3)) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const open = (name: string, host: string, signal = NEVER) =>
    openings.run(host, signal, () => {
      started.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { started, open, end }
}

test('a host has a few connections at a time, in the order in which they were wanted', async () => {
  const { started, open, end } = opener()
  for (const name of ['1', '2', '3', '4']) void open(name, 'a')
  assert.deepEqual(started, ['1', '2'])
  await end('2')
  assert.deepEqual(started, ['1', '2', '3'])
  await end('1')
  assert.deepEqual(started, ['1', '2', '3', '4'])
})

test('a host that does not respond keeps no other host waiting, up to the limit of all', async () => {
  const { started, open, end } = opener()
  for (const name of ['1', '2', '3']) void open(name, 'dead')
  void open('b', 'b')
  assert.deepEqual(started, ['1', '2', 'b'])
  void open('c', 'c')
  assert.equal(started.includes('c'), false)
  await end('b')
  assert.deepEqual(started, ['1', '2', 'b', 'c'])
})

test('who no longer wants a connection leaves the others their order', async () => {
  const { started, open, end } = opener()
  const gone = new AbortController()
  for (const name of ['1', '2']) void open(name, 'a')
  const left = open('3', 'a', gone.signal)
  void open('4', 'a')
  gone.abort(new Error('gone'))
  await assert.rejects(left, /gone/)
  await end('1')
  assert.deepEqual(started, ['1', '2', '4'])
  await assert.rejects(open('5', 'a', gone.signal), /gone/)
})

test('an error counts as an end', async () => {
  const openings = createOpenings(1, 1)
  await assert.rejects(
    openings.run('a', NEVER, () => Promise.reject(new Error('no'))),
    /no/
  )
  assert.equal(await openings.run('a', NEVER, async () => 'next'), 'next')
})
