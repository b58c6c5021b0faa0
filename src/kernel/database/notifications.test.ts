import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mock, test } from 'node:test'
import type { Engine } from './database.ts'
import { createLocalChannel } from './notification-channel.ts'
import { createNotifications, type ReadVersions } from './notifications.ts'

const POLL_MS = 2_000

function open(engine: Engine, readVersions: ReadVersions = async () => new Map()) {
  const channel = createLocalChannel()
  const notifications = createNotifications({ engine, channel }, readVersions)
  const called: string[] = []
  const subscribe = (key: string) => notifications.subscribe(key, () => called.push(key))
  return { signals: channel, called, ...notifications, subscribe }
}

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`subscribers of a key are called, others are not, on ${engine}`, () => {
    const { called, notify, subscribe, stop } = open(engine)
    const ends = [subscribe('a b'), subscribe('a b'), subscribe('c')]
    notify('a b')
    notify('d')
    assert.deepEqual(called, ['a b', 'a b'])
    for (const end of ends) end()
    notify('a b')
    assert.equal(called.length, 2)
    stop()
  })

  test(`after a loss every subscriber is called, on ${engine}`, () => {
    const { called, signals: channel, subscribe, stop } = open(engine)
    subscribe('a')
    subscribe('b')
    // Undefined means that notifications may have been lost.
    channel.publish(undefined as never)
    assert.deepEqual(called, ['a', 'b'])
    stop()
    channel.publish(undefined as never)
    assert.equal(called.length, 2)
  })
}

test('between processes a key is sent as a hash without spaces', () => {
  const { signals: channel, notify } = open('postgres')
  const words: (string | undefined)[] = []
  channel.subscribe((word) => words.push(word))
  notify('a secret')
  assert.equal(words.length, 1)
  assert.match(words[0] ?? '', /^[0-9a-f]{32}$/)
})

/** Notifications whose versions the test sets; `poll` resolves after the versions are read. */
function openPolled() {
  mock.timers.enable({ apis: ['setTimeout'] })
  const versions = new Map<string, number>()
  const reads = new EventTarget()
  const asked: (readonly string[])[] = []
  let isAway = false
  const opened = open('postgres', async (keys) => {
    asked.push(keys)
    setImmediate(() => reads.dispatchEvent(new Event('read')))
    if (isAway) throw new Error('away')
    return new Map(versions)
  })
  return {
    ...opened,
    versions,
    asked,
    lose: (away: boolean) => {
      isAway = away
    },
    async poll() {
      const read = once(reads, 'read')
      mock.timers.tick(POLL_MS)
      await read
    },
    [Symbol.dispose]() {
      opened.stop()
      mock.timers.reset()
    }
  }
}

test('a change whose notification was lost is found by reading versions', async () => {
  using polled = openPolled()
  const { called, versions, subscribe, poll } = polled
  versions.set('a', 1)
  const end = subscribe('a')
  await poll()
  // There may have been a change before the first poll.
  assert.deepEqual(called, ['a'])
  await poll()
  assert.deepEqual(called, ['a'])
  versions.set('a', 2)
  await poll()
  assert.deepEqual(called, ['a', 'a'])
  versions.delete('a')
  await poll()
  assert.equal(called.length, 3)
  end()
})

test('versions are read only while there are subscribers, and again after an error', async () => {
  using polled = openPolled()
  const { asked, called, versions, lose, subscribe, poll } = polled
  mock.timers.tick(POLL_MS)
  assert.equal(asked.length, 0)
  versions.set('a', 1)
  const end = subscribe('a')
  lose(true)
  await poll()
  assert.deepEqual(called, [])
  lose(false)
  await poll()
  assert.deepEqual(called, ['a'])
  end()
  await poll()
  assert.deepEqual(asked, [['a'], ['a'], []])
  mock.timers.tick(10 * POLL_MS)
  assert.equal(asked.length, 3)
})

test('on SQLite nothing is polled', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  let reads = 0
  const { subscribe, stop } = open('sqlite', async () => {
    reads += 1
    return new Map()
  })
  subscribe('a')
  mock.timers.tick(10 * POLL_MS)
  assert.equal(reads, 0)
  stop()
  mock.timers.reset()
})
