/**
 * Deliveries of real processes to a receiver that fails, hangs, answers 500 and dies, while ours are
 * killed: every change is received under one id, in the order of its lane, and marked once.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database, Engine } from '../../src/kernel/database/database.ts'
import { openOutboxTables, storedJobs, until, writtenCounts } from '../database/outbox-jobs.ts'
import { EFFORT } from '../support/effort.ts'
import { ENGINES, type TemporaryPlace, temporaryPlace } from '../support/engines.ts'
import { createRandom } from '../support/random.ts'
import { COUNT, PATIENT_LANE, type ProcessOptions } from './outbox-options.ts'
import { openReceiver, type Receiver } from './outbox-receiver.ts'

const EVENTS = EFFORT > 1 ? 1_000 : 100
const KILLS = EFFORT > 1 ? 10 : 1
const LANES = 25
const AT_ONCE = 10
const LEASE_MS = 1_000
const TIMEOUT_MS = 250
/** Some of many deliveries fail several times in a row. */
const ENDED_MS = 60_000

interface Sender {
  child: ChildProcess
  /** Stores a change; false if the process was killed before it said so. */
  add: (key: string, lane: string) => Promise<boolean>
  countWaiting: () => Promise<number>
  end: (signal: NodeJS.Signals) => Promise<void>
}

async function startSender(options: ProcessOptions): Promise<Sender> {
  const file = join(import.meta.dirname, 'outbox-process.ts')
  const flags = ['--disable-warning=ExperimentalWarning', file, JSON.stringify(options)]
  const child = spawn(process.execPath, flags, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.on('error', () => {})
  const waiting = new Map<string, (isAdded: boolean) => void>()
  const ready = Promise.withResolvers<void>()
  let tellCount: (count: number) => void = () => {}
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line === 'ready') ready.resolve()
    else if (line.startsWith(COUNT)) tellCount(Number(line.slice(COUNT.length)))
    else waiting.get(line)?.(true)
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  closed.then(() => {
    for (const tell of waiting.values()) tell(false)
    ready.reject(new Error('The process has ended'))
  })
  await ready.promise
  return {
    child,
    add: (key, lane) =>
      new Promise((resolve) => {
        waiting.set(key, resolve)
        if (child.exitCode !== null || child.signalCode !== null) resolve(false)
        else child.stdin.write(`${key} ${lane}\n`)
      }),
    countWaiting: () =>
      new Promise((resolve) => {
        tellCount = resolve
        child.stdin.write(`${COUNT}\n`)
      }),
    async end(signal) {
      child.kill(signal)
      await closed
    }
  }
}

/** The processes of an engine; a killed one is replaced. */
async function startSenders(place: TemporaryPlace, receiver: string) {
  const { [Symbol.asyncDispose]: _, ...location } = place
  const options = { location, receiver, leaseMs: LEASE_MS, timeoutMs: TIMEOUT_MS }
  const count = place.engine === 'postgres' ? 2 : 1
  const senders: Sender[] = []
  for (let number = 0; number < count; number++) senders.push(await startSender(options))
  return {
    senders,
    async killOne(index: number) {
      await senders[index]?.end('SIGKILL')
      senders[index] = await startSender(options)
    },
    async [Symbol.asyncDispose]() {
      for (const { end } of senders) await end('SIGKILL')
    }
  }
}

type Senders = Awaited<ReturnType<typeof startSenders>>

/** Adds all changes, again after a kill if the process has not said that one is stored. */
async function addChanges({ senders }: Senders, onAdded: (count: number) => void): Promise<void> {
  let next = 0
  let added = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < EVENTS) {
        const number = next++
        while (!(await senders[number % senders.length]?.add(`${number}`, `l${number % LANES}`))) {
          await wait(20)
        }
        onAdded(++added)
        await wait(2)
      }
    })
  )
}

// Both wait for leases and for the receiver.
describe('an outbox whose processes are killed', { timeout: 600_000, concurrency: true }, () => {
  for (const engine of ENGINES) {
    test(`on ${engine}: ${EVENTS} events, ${KILLS} kills, a pause`, async (t) => {
      await using place = temporaryPlace(engine)
      const random = createRandom(20)
      await using receiver = await openReceiver(random)
      await using running = await startSenders(place, receiver.url)
      let kills: Promise<unknown> = Promise.resolve()
      await addChanges(running, (count) => {
        if (count % Math.floor(EVENTS / 5) === 0) kills = kills.then(() => receiver.die(100))
        if (count % Math.floor(EVENTS / (KILLS + 1)) !== 0) return
        kills = kills.then(() => running.killOne(random.below(running.senders.length)))
      })
      await kills
      await allEnded(running)
      await pauseAll(engine, running, receiver, place)
      await allEnded(running)
      for (const { end } of running.senders) await end('SIGTERM')
      await using database = await openOutboxTables(place)
      await assertDelivered(database, receiver)
      const repeated = receiver.deliveries.length - new Set(receiver.deliveries.map(keyOf)).size
      t.diagnostic(`${receiver.deliveries.length} deliveries, ${repeated} of them repeated`)
      t.diagnostic(JSON.stringify(receiver.counts))
    })
  }
})

const keyOf = ({ key }: { key: string }) => key

async function allEnded({ senders }: Senders): Promise<void> {
  const haveEnded = async () => {
    // Each question is a query of the process that delivers.
    await wait(20)
    return (await senders[0]?.countWaiting()) === 0
  }
  await until(haveEnded, 'all have ended', ENDED_MS)
}

/** A process is paused until its lease has ended; what it was sending counts as repeated. */
async function pauseAll(
  engine: Engine,
  running: Senders,
  receiver: Receiver,
  place: TemporaryPlace
): Promise<void> {
  const [paused, other] = running.senders
  assert.ok(paused !== undefined)
  receiver.holdKey = 'paused'
  other?.child.kill('SIGSTOP')
  await paused.add('paused', PATIENT_LANE)
  await until(() => receiver.held.length === 1, 'sent by the process that is paused')
  paused.child.kill('SIGSTOP')
  if (engine === 'sqlite') {
    await wait(1.2 * LEASE_MS)
    paused.child.kill('SIGCONT')
    receiver.held[0]?.respond(200)
    return
  }
  other?.child.kill('SIGCONT')
  await until(() => receiver.held.length === 2, 'sent by the other process')
  paused.child.kill('SIGCONT')
  receiver.held[0]?.respond(200)
  await wait(300)
  await using database = await openOutboxTables(place)
  const job = (await storedJobs(database)).find(({ event_key }) => event_key === 'paused')
  assert.equal(job?.state, 'waiting', 'the paused process has marked nothing')
  assert.equal((await writtenCounts(database)).paused, 0)
  // If its lease ended meanwhile, it sends the job once more.
  receiver.holdKey = ''
  for (const { respond } of receiver.held.slice(1)) respond(200)
}

async function assertDelivered(database: Database, { deliveries }: Receiver): Promise<void> {
  const jobs = await storedJobs(database)
  assert.deepEqual(
    jobs.filter(({ state }) => state !== 'done').map(({ event_key }) => event_key),
    [],
    'all are marked'
  )
  const counts = await writtenCounts(database)
  assert.equal(Object.keys(counts).length, EVENTS + 1)
  assert.deepEqual(
    Object.entries(counts).filter(([, count]) => count !== 1),
    [],
    'the writes of each job are stored once'
  )
  const received = new Set(deliveries.map(({ key, id, body }) => `${key} ${id} ${body}`))
  const expected = jobs.map(({ event_key, id, payload }) => `${event_key} ${id} ${payload}`)
  assert.deepEqual([...received].sort(), expected.sort(), 'one id and body for each change')
  const first = [...new Set(deliveries.map(keyOf))]
  for (const lane of new Set(jobs.map((job) => job.lane))) {
    const keys = jobs.filter((job) => job.lane === lane).map(({ event_key }) => event_key)
    const isOfLane = new Set(keys)
    assert.deepEqual(
      first.filter((key) => isOfLane.has(key)),
      keys,
      `the order of ${lane}`
    )
  }
}
