/**
 * Several processes with one outbox. Two databases opened here stand for them on PostgreSQL; on
 * SQLite two outboxes use one database, as if a process had been paused and another one started.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../src/kernel/database/database.ts'
import { connectPostgres } from '../../src/kernel/database/postgres-connection.ts'
import { query } from '../../src/kernel/database/transaction.ts'
import { readLane } from '../../src/kernel/outbox/history.ts'
import type { JobHandlers, JobResult } from '../../src/kernel/outbox/job.ts'
import { replayJob, TURN_OPTIONS, takeTurn } from '../../src/kernel/outbox/turn.ts'
import { EFFORT } from '../support/effort.ts'
import { ENGINES, temporaryPlace } from '../support/engines.ts'
import { withoutPause } from '../support/pauses.ts'
import { createRandom } from '../support/random.ts'
import {
  change,
  openOutbox,
  openOutboxTables,
  recorder,
  statesOf,
  storedJobs,
  until,
  written,
  writtenCounts
} from './outbox-jobs.ts'

const DONE = { state: 'done' } as const
const MINUTE_MS = 60_000

test('a process that is paused in a turn does not stop the claims of others', async () => {
  await using place = temporaryPlace('postgres')
  await using database = await openOutboxTables(place)
  const options = { ...TURN_OPTIONS, maxIdleMs: TURN_OPTIONS.maxIdleMs / 10 }
  function* paused() {
    yield* takeTurn({
      ...{ engine: 'postgres', now: 0, leaseUntil: 0, limit: 1, slots: new Map() },
      ...{ marks: [], extended: [] }
    })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * options.maxIdleMs)
    yield* query('select 1')
  }
  await assert.rejects(database.write(paused, options), { code: 'STORAGE_UNAVAILABLE' })
  assert.equal(await database.write(() => replayJob('none', 0), TURN_OPTIONS), false)
})

for (const engine of ENGINES) {
  test(`a process whose lease has ended marks and writes nothing, on ${engine}`, async () => {
    await using place = temporaryPlace(engine)
    await using database = await openOutboxTables(place)
    await using paused = openOutbox(database)
    await using other = openOutbox(database)
    const [pausedRuns, otherRuns] = [endedByTest(), endedByTest()]
    await paused.start(pausedRuns.handlers)
    for (const key of ['marks', 'writes', 'fails']) await database.write(() => change(key))
    await until(() => pausedRuns.ends.size === 3, 'the leases of the paused one')
    await other.start(otherRuns.handlers)
    other.advance(MINUTE_MS)
    await until(() => otherRuns.ends.size === 3, 'the leases of the other one')
    pausedRuns.ends.get('marks')?.(DONE)
    pausedRuns.ends.get('writes')?.({ state: 'done', write: () => written('writes') })
    pausedRuns.ends.get('fails')?.({ state: 'retry', reason: 'late', afterMs: 0 })
    await wait(50)
    assert.ok((await storedJobs(database)).every((job) => job.lease_until !== null))
    assert.deepEqual(await writtenCounts(database), { fails: 0, marks: 0, writes: 0 })
    for (const [key, end] of otherRuns.ends) end({ state: 'done', write: () => written(key) })
    await until(async () => (await other.outbox.count()).waiting === 0, 'marked')
    assert.deepEqual(await statesOf(database), { fails: 'done', marks: 'done', writes: 'done' })
    assert.deepEqual(await writtenCounts(database), { fails: 1, marks: 1, writes: 1 })
    assert.ok((await storedJobs(database)).every(({ fence }) => fence > 1))
    const sent = ({ key, id, payload }: { key: string; id: string; payload: string }) =>
      [key, id, payload].join()
    assert.deepEqual(pausedRuns.runs.map(sent).sort(), otherRuns.runs.map(sent).sort())
  })

  test(`a job that takes longer than a lease keeps it, on ${engine}`, () =>
    withoutPause(700, async () => {
      await using place = temporaryPlace(engine)
      await using database = await openOutboxTables(place)
      await using first = openOutbox(database, { leaseMs: 1_500 })
      await using second = openOutbox(database, { leaseMs: 1_500 })
      const handlers: JobHandlers = { send: { run: () => wait(4_000, DONE) } }
      await second.start(handlers)
      await first.start(handlers)
      await database.write(() => change('a'))
      await until(async () => (await statesOf(database)).a === 'done', 'done')
      const [job] = await storedJobs(database)
      assert.deepEqual([job?.attempts, job?.fence], [1, 1])
    }))
}

describe('two processes on one PostgreSQL', { skip: !ENGINES.includes('postgres') }, () => {
  test('each job runs once, each lane in order, and no lane is lost', async () => {
    await using place = temporaryPlace('postgres')
    await using one = await openOutboxTables(place)
    await using two = await openOutboxTables(place)
    const databases = [one, two] as const
    const random = createRandom(20)
    const jobs = 150 * EFFORT
    const runs: string[] = []
    const active = new Set<string>()
    const handlers: JobHandlers = {
      send: {
        backoff: () => 1,
        async run({ key, lane, attempt }) {
          assert.ok(!active.has(lane), `${lane} runs twice`)
          active.add(lane)
          await wait(random.below(4))
          active.delete(lane)
          if (random.below(5) === 0 && attempt < 10) return { state: 'retry', reason: 'again' }
          runs.push(key)
          return random.below(2) === 0 ? DONE : { state: 'done', write: () => written(key) }
        }
      }
    }
    await using first = openOutbox(one, { maxRunning: 5 })
    await using second = openOutbox(two, { maxRunning: 5 })
    const outboxes = [first, second]
    for (const outbox of outboxes) await outbox.start(handlers)
    await Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        for (let number = 0; number < jobs / 6; number++) {
          const database = databases[random.below(2)] as Database
          const lane = `lane ${writer} ${random.below(3)}`
          await database.write(() => change(`${writer} ${number}`, { lane }))
        }
      })
    )
    await until(async () => (await first.outbox.count()).waiting === 0, 'all ended')
    assert.equal(new Set(runs).size, jobs)
    assert.equal(runs.length, jobs)
    const stored = await storedJobs(databases[0])
    assert.ok(stored.every(({ state }) => state === 'done'))
    for (const lane of new Set(stored.map((job) => job.lane))) {
      const keys = stored.filter((job) => job.lane === lane).map(({ event_key }) => event_key)
      assert.deepEqual(
        runs.filter((key) => keys.includes(key)),
        keys
      )
    }
    for (const outbox of outboxes) assert.deepEqual(outbox.warnings, [])
  })

  test('a reader of a lane misses no event that is committed late', async () => {
    await using place = temporaryPlace('postgres')
    await using one = await openOutboxTables(place)
    await using two = await openOutboxTables(place)
    const databases = [one, two] as const
    const seen: string[] = []
    let isOver = false
    const reader = (async () => {
      while (!isOver) {
        const events = await databases[0].read(() => readLane('x', seen.at(-1), 100))
        seen.push(...(events ?? []).map(({ id }) => id))
      }
    })()
    const added = await Promise.all(
      Array.from({ length: 120 }, (_, number) =>
        databases[number % 2 === 0 ? 0 : 1].write(function* () {
          const id = yield* change(`${number}`, { lane: 'x' })
          // Transactions end in another order than they have added.
          yield* query(`select pg_sleep(${(number % 5) / 500})`)
          return id
        })
      )
    )
    await until(() => seen.length >= added.length, 'all seen')
    isOver = true
    await reader
    assert.deepEqual(seen.toSorted(), added.toSorted())
  })

  test('a job added by one process wakes the other one', () =>
    withoutPause(2_000, async () => {
      await using place = temporaryPlace('postgres')
      await using one = await openOutboxTables(place)
      await using two = await openOutboxTables(place)
      const databases = [one, two] as const
      const { runs, handlers } = recorder(() => DONE)
      await using outbox = openOutbox(databases[1])
      await outbox.start(handlers)
      await databases[0].write(() => change('first'))
      await until(() => runs.length === 1, 'connected')
      const start = performance.now()
      await databases[0].write(() => change('second'))
      await until(() => runs.length === 2, 'the run')
      assert.ok(performance.now() - start < 4_000, 'sooner than a poll')
    }))

  test('the outbox goes on after the server has closed all connections', async () => {
    await using place = temporaryPlace('postgres')
    await using database = await openOutboxTables(place)
    const { keys, handlers } = recorder(async (key) => {
      if (key === 'during') await cutConnections(place as never)
      return { state: 'done', write: () => written(key) }
    })
    await using outbox = openOutbox(database)
    await outbox.start(handlers)
    await database.write(() => change('before'))
    await database.write(() => change('during'))
    await until(async () => (await countsOrNothing(database)).during === 1, 'written')
    await cutConnections(place as never)
    await until(() => addOrNot(database, 'after'), 'added')
    await until(() => keys().includes('after'), 'the run after')
    await until(async () => (await countsOrNothing(database)).after === 1, 'written too')
  })
})

/** A recorder whose attempts end when the test says so. */
function endedByTest() {
  const ends = new Map<string, (result: JobResult) => void>()
  const recorded = recorder((key) => new Promise((resolve) => ends.set(key, resolve)))
  return { ...recorded, ends }
}

async function cutConnections({ url }: { url: string }): Promise<void> {
  const client = await connectPostgres({ url })
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`
  )
  await client.end()
}

async function countsOrNothing(database: Database): Promise<Record<string, number>> {
  return writtenCounts(database).catch(() => ({}))
}

async function addOrNot(database: Database, key: string): Promise<boolean> {
  return database
    .write(() => change(key))
    .then(
      () => true,
      ({ name }) => name === 'UniqueViolation'
    )
}
