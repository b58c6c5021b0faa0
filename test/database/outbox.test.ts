/** The outbox on both engines, in one process; several are in `outbox-processes.test.ts`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Engine } from '../../src/kernel/database/database.ts'
import { query } from '../../src/kernel/database/transaction.ts'
import { truncateAll } from '../../src/kernel/database/truncate.ts'
import {
  addJob,
  MAX_PAYLOAD_BYTES,
  OUTBOX_TOPIC,
  PayloadTooLarge,
  removeLane
} from '../../src/kernel/outbox/add-job.ts'
import { countKind } from '../../src/kernel/outbox/count-lane.ts'
import type { JobHandlers, JobResult } from '../../src/kernel/outbox/job.ts'
import { removeOldJobs } from '../../src/kernel/outbox/retention.ts'
import { hastenJobs, replayJob, TURN_OPTIONS } from '../../src/kernel/outbox/turn.ts'
import { ENGINES, temporaryPlace } from '../support/engines.ts'
import { withoutPause } from '../support/pauses.ts'
import {
  change,
  newJob,
  openOutbox,
  openOutboxTables,
  recorder,
  statesOf,
  storedJobs,
  type TestOutbox,
  until,
  written,
  writtenCounts
} from './outbox-jobs.ts'

const DONE = { state: 'done' } as const
const HOUR_MS = 60 * 60_000
/** Longer than three writes on a busy machine. */
const SOON_MS = 2_000
const SHORT_MS = 100
/** Shorter than what the times of jobs leave between each other. */
const PAUSE_MS = 1_000
const DAY_MS = 24 * HOUR_MS

type Run = (outbox: TestOutbox) => Promise<void>

function onEach(title: string, run: Run, now?: () => number): void {
  for (const engine of ENGINES) {
    test(`${title}, on ${engine}`, () => withoutPause(PAUSE_MS, () => withOutbox(engine, run, now)))
  }
}

async function withOutbox(engine: Engine, run: Run, now = Date.now) {
  await using place = temporaryPlace(engine)
  await using database = await openOutboxTables(place)
  await using outbox = openOutbox(database, { now })
  await run(outbox)
  assert.deepEqual(outbox.warnings, [])
}

onEach('jobs of a lane run in order, those of several lanes at the same time', async (outbox) => {
  const { database } = outbox
  const numbers = Array.from({ length: 40 }, (_, index) => index)
  for (const number of numbers) {
    await database.write(() => change(String(number), { lane: `lane ${number % 4}` }))
  }
  const active = new Set<string>()
  const order: number[] = []
  let most = 0
  await outbox.start({
    send: {
      async run({ key, lane }) {
        assert.ok(!active.has(lane), `${lane} runs twice`)
        active.add(lane)
        most = Math.max(most, active.size)
        order.push(Number(key))
        await wait(2)
        active.delete(lane)
        return DONE
      }
    }
  })
  await until(() => order.length === 40, 'forty runs')
  await until(() => allAre(outbox, 'done'), 'all done')
  for (let lane = 0; lane < 4; lane++) {
    const own = numbers.filter((number) => number % 4 === lane)
    assert.deepEqual(
      order.filter((number) => number % 4 === lane),
      own
    )
  }
  assert.equal(most, 4)
})

async function allAre({ database }: TestOutbox, state: string): Promise<boolean> {
  return Object.values(await statesOf(database)).every((one) => one === state)
}

onEach(
  'jobs of a kind with a limit leave the rest to others, however many are due',
  async (outbox) => {
    const { database } = outbox
    const slow = Array.from({ length: 300 }, (_, number) => `slow ${number}`)
    await database.write(function* () {
      for (const lane of slow) yield* addJob(newJob(lane, { lane, kind: 'slow' }), 1)
      yield* addJob(newJob('fast', { runAt: 2 }), 2)
    })
    const held = Promise.withResolvers<void>()
    const { runs, handlers } = recorder(() => DONE)
    let active = 0
    let most = 0
    await outbox.start({
      ...handlers,
      slow: {
        maxRunning: 24,
        async run() {
          most = Math.max(most, ++active)
          await held.promise
          active--
          return DONE
        }
      }
    })
    await until(() => runs.length === 1, 'the other job')
    await wait(100)
    assert.equal(most, 24)
    held.resolve()
    await until(() => allAre(outbox, 'done'), 'all done')
    assert.equal(most, 24)
  }
)

onEach('a second job with the same key is not added, whatever its state', async (outbox) => {
  const { database } = outbox
  const id = await database.write(() => addJob(newJob('a'), 1))
  assert.match(id ?? '', /^[0-9a-f-]{36}$/)
  assert.equal(await database.write(() => addJob(newJob('a', { payload: '2' }), 1)), undefined)
  const { runs, handlers } = recorder(() => DONE)
  await outbox.start(handlers)
  await until(() => allAre(outbox, 'done'), 'done')
  assert.equal(await database.write(() => addJob(newJob('a'), 1)), undefined)
  assert.deepEqual(runs, [{ key: 'a', id, payload: '"a"', attempt: 1 }])
})

onEach('a rollback leaves no job and wakes nobody, also beside other writes', async (outbox) => {
  const { database } = outbox
  const topics: (string | undefined)[] = []
  const end = database.channel.subscribe((topic) => topics.push(topic))
  function* failing(key: string) {
    yield* change(key)
    throw new Error('no')
  }
  await assert.rejects(
    database.write(() => failing('a')),
    /no/
  )
  assert.deepEqual(topics.filter(Boolean), [])
  // Those after an error run in savepoints on SQLite.
  const settled = await Promise.allSettled([
    database.write(() => query('select 1')),
    database.write(() => failing('b')),
    database.write(() => failing('c'))
  ])
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected']
  )
  assert.deepEqual(topics.filter(Boolean), [])
  assert.deepEqual(await storedJobs(database), [])
  await Promise.all([
    database.write(() => change('d')),
    database.write(() => failing('e')).catch(() => {})
  ])
  assert.deepEqual(topics.filter(Boolean), [OUTBOX_TOPIC])
  assert.deepEqual(Object.keys(await statesOf(database)), ['d'])
  end()
})

onEach('a job is woken by its commit and not by a poll', async (outbox) => {
  const { runs, handlers } = recorder(() => DONE)
  await outbox.start(handlers)
  await wait(50)
  const latencies: number[] = []
  for (let number = 1; number <= 5; number++) {
    const start = performance.now()
    await outbox.database.write(() => change(`${number}`))
    await until(() => runs.length === number, 'the run')
    latencies.push(performance.now() - start)
  }
  const median = latencies.toSorted((a, b) => a - b)[2] ?? Infinity
  assert.ok(median < 500, `${median} ms`)
})

/** The clock moves only when the test moves it. */
const repeatedAt = Date.now()
onEach(
  'a job that fails is repeated later and later, and its lane waits',
  repeats,
  () => repeatedAt
)

async function repeats(outbox: TestOutbox): Promise<void> {
  const { database } = outbox
  await database.write(() => change('a', { lane: 'x' }, repeatedAt))
  await database.write(() => change('b', { lane: 'x' }, repeatedAt))
  const { runs, keys, handlers } = recorder((key, attempt) => {
    if (key === 'b' || attempt === 4) return DONE
    if (attempt === 2) throw new Error('no')
    return { state: 'retry', reason: 'not now', ...(attempt === 3 ? { afterMs: HOUR_MS } : {}) }
  })
  await outbox.start(handlers)
  await until(() => isRetried(outbox, 1), 'first attempt')
  assert.deepEqual(await delayOf(outbox, 'a', 0), [500, 1_000])
  outbox.advance(1_000)
  await until(() => isRetried(outbox, 2), 'second attempt')
  assert.deepEqual(await delayOf(outbox, 'a', 1_000), [1_000, 2_000])
  assert.equal((await storedJobs(database))[0]?.last_error, 'no')
  outbox.advance(2_000)
  await until(() => isRetried(outbox, 3), 'third attempt')
  outbox.advance(HOUR_MS / 2)
  await wait(30)
  assert.deepEqual(keys(), ['a', 'a', 'a'])
  outbox.advance(HOUR_MS / 2)
  await until(() => allAre(outbox, 'done'), 'both done')
  assert.deepEqual(keys(), ['a', 'a', 'a', 'a', 'b'])
  assert.deepEqual(
    runs.map(({ attempt }) => attempt),
    [1, 2, 3, 4, 1]
  )
  assert.equal(new Set(runs.filter(({ key }) => key === 'a').map(({ id }) => id)).size, 1)
}

async function isRetried({ database }: TestOutbox, attempts: number): Promise<boolean> {
  const [job] = await storedJobs(database)
  return job?.attempts === attempts && job.lease_until === null
}

/** The limits of a back-off if the next attempt is between them, else the time. */
async function delayOf({ database }: TestOutbox, key: string, moved: number): Promise<number[]> {
  const job = (await storedJobs(database)).find(({ event_key }) => event_key === key)
  const delay = (job?.run_at ?? 0) - repeatedAt - moved
  const longest = 1_000 * 2 ** ((job?.attempts ?? 0) - 1)
  return delay >= longest / 2 && delay <= longest ? [longest / 2, longest] : [delay]
}

onEach('after its last attempt a job is dead, and can be replayed', async (outbox) => {
  const { database } = outbox
  let isFixed = false
  const ids: string[] = []
  const payloads: string[] = []
  await outbox.start({
    send: {
      maxAttempts: 2,
      backoff: () => 0,
      async run({ id, payload }) {
        ids.push(id)
        payloads.push(payload)
        return isFixed ? DONE : { state: 'retry', reason: 'not reachable' }
      }
    },
    other: { run: async () => DONE }
  })
  const id = await database.write(() => change('a', { lane: 'x', payload: '{"a":1}' }))
  await database.write(() => change('b', { lane: 'x', kind: 'other' }))
  await until(async () => (await statesOf(database)).b === 'done', 'the next job of the lane')
  const [dead, ...more] = await outbox.outbox.listDead(10)
  assert.deepEqual(more, [])
  assert.deepEqual(
    [dead?.id, dead?.key, dead?.attempts, dead?.lastError, dead?.kind],
    [id, 'a', 2, 'not reachable', 'send']
  )
  assert.deepEqual({ ...(await outbox.outbox.count()) }, { waiting: 0, dead: 1 })
  isFixed = true
  assert.equal(await outbox.outbox.replay(id ?? ''), true)
  await until(() => allAre(outbox, 'done'), 'replayed')
  assert.deepEqual(await outbox.outbox.listDead(10), [])
  assert.equal(await outbox.outbox.replay(id ?? ''), true)
  await until(() => ids.length === 4, 'replayed once more')
  assert.equal(await outbox.outbox.replay('unknown'), false)
  assert.deepEqual([new Set(ids), new Set(payloads)], [new Set([id]), new Set(['{"a":1}'])])
})

onEach('a replayed job does not stop its lane, whatever waits there', async (outbox) => {
  const { database } = outbox
  const keys: string[] = []
  let isBroken = true
  const ending = Promise.withResolvers<void>()
  const handlers: JobHandlers = {
    send: {
      backoff: () => HOUR_MS,
      async run({ key, attempt }) {
        keys.push(key)
        if (key === 'dead' && isBroken) return { state: 'dead', reason: 'gone' }
        if (key === 'retried' && attempt === 1) {
          await ending.promise
          const write = () => written('retried')
          return { state: 'retry', reason: 'not reachable', write }
        }
        return DONE
      }
    }
  }
  await outbox.start(handlers)
  const dead = await database.write(() => change('dead', { lane: 'x' }))
  const done = await database.write(() => change('done', { lane: 'x' }))
  await until(async () => (await statesOf(database)).done === 'done', 'an end')
  isBroken = false
  await database.write(() => change('retried', { lane: 'x' }))
  await until(() => keys.length === 3, 'a job that runs')
  // While it runs, and then while it waits for its next attempt.
  assert.equal(await outbox.outbox.replay(done ?? ''), true)
  await wait(SHORT_MS)
  assert.deepEqual(keys, ['dead', 'done', 'retried'])
  ending.resolve()
  await until(async () => (await writtenCounts(database)).retried === 1, 'the retry')
  assert.equal(await outbox.outbox.replay(dead ?? ''), true)
  await until(() => keys.length === 5, 'the replayed ones')
  assert.deepEqual(keys.slice(3), ['dead', 'done'])
  outbox.advance(2 * HOUR_MS)
  await database.write(() => change('later', { lane: 'x' }))
  await until(() => keys.length === 7, 'the jobs of the lane')
  assert.deepEqual(keys.slice(5), ['retried', 'later'])
})

onEach('a job added with a replayed one of its lane runs after it', async (outbox) => {
  const { database } = outbox
  const { keys, handlers } = recorder(() => DONE)
  await outbox.start(handlers)
  const id = await database.write(() => change('a', { lane: 'x' }))
  await until(() => allAre(outbox, 'done'), 'an end')
  await database.write(function* () {
    yield* change('b', { lane: 'x' })
    yield* replayJob(id ?? '', Date.now())
  }, TURN_OPTIONS)
  await until(() => keys().length === 3, 'both')
  assert.deepEqual(keys(), ['a', 'a', 'b'])
})

onEach('a handler may end a job as dead at once; a kind without handler waits', async (outbox) => {
  const { database } = outbox
  const { runs, handlers } = recorder(() => ({ state: 'dead', reason: 'gone' }))
  await outbox.start(handlers)
  await database.write(() => change('a'))
  await database.write(() => change('b', { kind: 'constructor' }))
  await until(async () => (await statesOf(database)).a === 'dead', 'dead')
  await until(async () => (await storedJobs(database))[1]?.last_error !== null, 'no handler')
  assert.equal((await statesOf(database)).b, 'waiting')
  assert.equal(runs.length, 1)
})

onEach('a job with a time runs at that time, others before it', async (outbox) => {
  const { database } = outbox
  const { keys, handlers } = recorder(() => DONE)
  await outbox.start(handlers)
  const start = Date.now()
  await database.write(() => change('day', { runAt: start + DAY_MS }))
  await database.write(() => change('soon', { runAt: start + SOON_MS }))
  await database.write(() => change('now'))
  await until(() => keys().length === 2, 'two runs')
  assert.deepEqual(keys(), ['now', 'soon'])
  assert.ok(Date.now() - start >= SOON_MS)
  assert.ok(Date.now() - start < SOON_MS + 2_500, 'sooner than by a poll after five seconds')
  outbox.advance(DAY_MS - 60_000)
  await wait(30)
  assert.equal(keys().length, 2)
  outbox.advance(60_000)
  await until(() => keys().includes('day'), 'the last one')
})

onEach('what fell due while no process ran is run at the start', async (outbox) => {
  const { database } = outbox
  await database.write(() => change('a', { runAt: Date.now() - DAY_MS }))
  const { keys, handlers } = recorder(() => DONE)
  await outbox.start(handlers)
  await until(() => keys().length === 1, 'the run')
})

onEach('the writes of a result are stored with its mark, or neither', async (outbox) => {
  const { database } = outbox
  function* failing() {
    yield* written('failing')
    throw new Error('rejected')
  }
  const results: Record<string, JobResult> = {
    done: { state: 'done', write: () => written('done') },
    dead: { state: 'dead', reason: 'x', write: () => written('dead') },
    retry: { state: 'retry', reason: 'x', afterMs: 0, write: () => written('retry') },
    failing: { state: 'done', write: failing }
  }
  const { runs, handlers } = recorder((key, attempt) =>
    attempt === 1 ? (results[key] ?? DONE) : DONE
  )
  await outbox.start(handlers)
  for (const key of ['done', 'dead', 'retry', 'failing']) {
    await database.write(() => change(key, { lane: 'x' }))
  }
  await until(async () => (await storedJobs(database))[3]?.last_error === 'rejected', 'rejected')
  assert.deepEqual(await writtenCounts(database), { dead: 1, done: 1, failing: 0, retry: 1 })
  outbox.advance(HOUR_MS)
  await until(async () => (await statesOf(database)).failing === 'done', 'repeated')
  assert.deepEqual(await statesOf(database), {
    dead: 'dead',
    done: 'done',
    failing: 'done',
    retry: 'done'
  })
  assert.equal(runs.length, 6)
})

onEach('a payload over the limit is an error, and nothing is stored', async (outbox) => {
  const { database } = outbox
  const payload = JSON.stringify('é'.repeat(MAX_PAYLOAD_BYTES / 2 - 1))
  assert.equal(Buffer.byteLength(payload), MAX_PAYLOAD_BYTES)
  await database.write(() => change('a', { payload }))
  await assert.rejects(
    database.write(() => change('b', { payload: `${payload} ` })),
    PayloadTooLarge
  )
  await assert.rejects(
    database.write(() => change('c', { lane: 'x'.repeat(501) })),
    /500/
  )
  assert.deepEqual(Object.keys(await statesOf(database)), ['a'])
})

onEach('events of a lane are read after the last one', async ({ database, outbox }) => {
  const ids: (string | undefined)[] = []
  for (const key of ['a', 'b', 'c', 'd']) {
    await database.write(() => change(`x${key}`, { lane: 'x' }))
    ids.push(await database.write(() => change(key, { lane: 'events' }, 5)))
  }
  const read = async (last: string | undefined, limit: number) =>
    (await outbox.readAfter('events', last, limit))?.map(({ payload }) => JSON.parse(payload))
  assert.deepEqual(await read(undefined, 2), ['a', 'b'])
  assert.deepEqual(await read(ids[1], 10), ['c', 'd'])
  assert.deepEqual(await read(ids[3], 10), [])
  assert.equal(await read('unknown', 10), undefined)
  assert.equal(await outbox.readAfter('x', ids[0], 10), undefined)
  const [last] = (await outbox.readAfter('events', ids[2], 10)) ?? []
  assert.deepEqual({ ...last }, { id: ids[3], kind: 'send', payload: '"d"', createdAt: 5 })
})

onEach('jobs are removed a week or a month after their end', async (outbox) => {
  const { database } = outbox
  const { handlers } = recorder((key) =>
    key.startsWith('dead') ? { state: 'dead', reason: 'x' } : DONE
  )
  await outbox.start(handlers)
  const keys = ['dead', ...Array.from({ length: 250 }, (_, index) => `done ${index}`)]
  await Promise.all(keys.map((key) => database.write(() => change(key))))
  await database.write(() => change('later', { runAt: Date.now() + 90 * DAY_MS }))
  await until(async () => (await outbox.outbox.count()).waiting === 1, 'all ended')
  assert.equal(await removeOldJobs(database, Date.now() + 6 * DAY_MS), 0)
  assert.equal(await removeOldJobs(database, Date.now() + 8 * DAY_MS), 250)
  assert.deepEqual(Object.keys(await statesOf(database)).sort(), ['dead', 'later'])
  assert.equal(await removeOldJobs(database, Date.now() + 31 * DAY_MS), 1)
})

onEach('the jobs of a removed lane end, and the one that runs marks nothing', async (outbox) => {
  const { database } = outbox
  const finish = Promise.withResolvers<void>()
  const { keys, handlers } = recorder(async (key) => {
    if (key === 'a') await finish.promise
    return { state: 'done', write: () => written(key) }
  })
  await outbox.start(handlers)
  for (const key of ['a', 'b', 'c']) await database.write(() => change(key, { lane: 'x' }))
  await until(() => keys().length === 1, 'the first')
  await database.write(() => removeLane('x'))
  finish.resolve()
  await database.write(() => addJob(newJob('a', { lane: 'x', kind: 'send' }), Date.now()))
  await until(async () => (await statesOf(database)).a === 'done', 'a new job of the lane')
  assert.deepEqual(keys(), ['a', 'a'])
  assert.deepEqual(await writtenCounts(database), { a: 1, b: 0, c: 0 })
  await removeOldJobs(database, Date.now() + 1)
  assert.deepEqual(await statesOf(database), { a: 'done' })
})

onEach('a job that runs during a reset marks nothing of the new tables', async (outbox) => {
  const { database } = outbox
  const finish = Promise.withResolvers<void>()
  const { runs, handlers } = recorder(async (key) => {
    if (key === 'before') await finish.promise
    return key === 'before' ? DONE : { state: 'retry', reason: 'x' }
  })
  await outbox.start(handlers)
  await database.write(() => change('before'))
  await until(() => runs.length === 1, 'the first')
  await truncateAll(database)
  await database.write(() => change('after'))
  await until(() => runs.length === 2, 'the second')
  finish.resolve()
  await wait(30)
  assert.deepEqual(await statesOf(database), { after: 'waiting' })
})

onEach('an attempt that takes too long is aborted and repeated', async (outbox) => {
  const { database } = outbox
  const reasons: unknown[] = []
  await outbox.start({
    send: {
      timeoutMs: 30,
      run: ({ signal, attempt }) => {
        signal.addEventListener('abort', () => reasons.push(signal.reason.message))
        return attempt > 1 ? Promise.resolve(DONE) : new Promise(() => {})
      }
    }
  })
  await database.write(() => change('a'))
  await until(() => isRetried(outbox, 1), 'aborted')
  assert.deepEqual(reasons, ['The attempt took too long'])
  outbox.advance(HOUR_MS)
  await until(() => allAre(outbox, 'done'), 'done')
})

onEach('a stop waits for running jobs and gives the others back', async (outbox) => {
  const { database } = outbox
  const signals: AbortSignal[] = []
  const handlers: JobHandlers = {
    quick: {
      run: async () => {
        await wait(60)
        return DONE
      }
    },
    slow: {
      run: ({ signal }) => {
        signals.push(signal)
        return new Promise(() => {})
      }
    }
  }
  await outbox.start(handlers)
  await database.write(() => change('quick', { kind: 'quick' }))
  await database.write(() => change('slow', { kind: 'slow' }))
  await until(() => signals.length === 1, 'both run')
  const start = performance.now()
  const stopped = outbox.stop(200)
  await database.write(() => change('new'))
  await stopped
  assert.ok(performance.now() - start < 20_000, 'before the time-out of an attempt')
  assert.equal(signals[0]?.aborted, true)
  assert.deepEqual(await statesOf(database), { new: 'waiting', quick: 'done', slow: 'waiting' })
  const slow = (await storedJobs(database)).find(({ event_key }) => event_key === 'slow')
  assert.deepEqual([slow?.lease_until, slow?.attempts], [null, 0])
  assert.ok((slow?.run_at ?? Infinity) <= Date.now(), 'due at once')
})

onEach('a postponed job runs later without having used an attempt', async (outbox) => {
  const { database } = outbox
  const { runs, handlers } = recorder(() => {
    if (runs.length === 1) return { state: 'retry', reason: 'down', afterMs: 10 }
    return runs.length === 2 ? { state: 'postponed', afterMs: HOUR_MS } : DONE
  })
  await outbox.start(handlers)
  await database.write(() => change('a', { lane: 'l' }))
  await database.write(() => change('b', { lane: 'l' }))
  await until(() => runs.length === 2, 'the second attempt')
  const isPostponed = async () => (await storedJobs(database))[0]?.lease_until === null
  await until(isPostponed, 'postponed')
  const [job] = await storedJobs(database)
  assert.deepEqual([job?.attempts, job?.last_error, job?.state], [1, 'down', 'waiting'])
  const counts = await database.read(() => countKind('send', Date.now()))
  assert.deepEqual(counts, { active: 0, delayed: 1, waiting: 1 })
  outbox.advance(HOUR_MS)
  await until(() => allAre(outbox, 'done'), 'both are done')
  assert.deepEqual(
    runs.map(({ key, attempt }) => [key, attempt]),
    [
      ['a', 1],
      ['a', 2],
      ['a', 2],
      ['b', 1]
    ]
  )
})

onEach('waiting jobs of a kind or a lane can be made due at once', async (outbox) => {
  const { database } = outbox
  const later = Date.now() + HOUR_MS
  for (const [id, kind] of Object.entries({ a: 'send', b: 'send', c: 'other' })) {
    await database.write(() => change(id, { kind, runAt: later }))
  }
  const { keys, handlers } = recorder(() => DONE)
  await outbox.start({ ...handlers, other: { run: () => assert.fail('it runs') } })
  const hasten = (lane?: string) =>
    database.write(() => hastenJobs('send', lane, Date.now()), TURN_OPTIONS)
  await hasten('b')
  await until(() => keys().length === 1, 'the job of the lane')
  await hasten()
  await until(() => keys().length === 2, 'the others of the kind')
  assert.deepEqual(keys(), ['b', 'a'])
  const isDone = async () => (await statesOf(database)).a === 'done'
  await until(isDone, 'the mark')
  assert.deepEqual(await statesOf(database), { a: 'done', b: 'done', c: 'waiting' })
})
