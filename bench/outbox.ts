import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Cases } from './cases.ts'
import { type Contender, OWN_CHECKOUT, startContender } from './contender.ts'
import { cpuMs } from './cpu.ts'
import { median } from './load.ts'
import { type Engine, findPostgres, SQLITE, type StorageLocation } from './storage.ts'
import { type Bar, markdownTable, type Outcome } from './table.ts'

const EVENTS = 3_000
const ROUNDS = 5
const LANES = 50
const FEW_KEPT = 1_000
const MANY_KEPT = 1_000_000
const IDLE_MS = 20_000
const POLL_MS = 25
const MIN_PER_SECOND: Readonly<Record<string, number>> = { SQLite: 300 }

/** The outbox has no peer, so no case is compared with another version. */
export const outboxCases: Cases = { servers: [], starts: [] }

/** Measures deliveries from the insertion of a job to its receiver in another process. */
export async function benchOutbox(): Promise<Outcome> {
  const postgres = findPostgres()
  const engines = postgres === undefined ? [SQLITE] : [SQLITE, postgres]
  const rows: string[][] = []
  const bars: Bar[] = []
  for (const engine of engines) {
    const few = await measure(engine, FEW_KEPT)
    const many = await measure(engine, MANY_KEPT)
    rows.push(describe(engine, FEW_KEPT, few), describe(engine, MANY_KEPT, many))
    bars.push(...barsOf(engine, few, many))
  }
  const setting = `${EVENTS} jobs of ${LANES} lanes, each added in a transaction of its own and sent to a receiver in another process; median of ${ROUNDS} rounds. CPU is of the process with the outbox, on PostgreSQL with that of the server.`
  const head = ['database', 'jobs kept', 'jobs/s', 'CPU µs/job', 'idle CPU']
  return { title: 'outbox', text: [setting, markdownTable(head, rows)].join('\n\n'), bars }
}

interface Measured {
  perSecond: number
  /** Microseconds. */
  cpuPerJob: number
  /** Share of a core. */
  idle: number
}

function describe({ name }: Engine, kept: number, { perSecond, cpuPerJob, idle }: Measured) {
  const figures = [perSecond.toFixed(0), cpuPerJob.toFixed(0), `${(idle * 100).toFixed(2)} %`]
  return [name, String(kept), ...figures]
}

function barsOf({ name }: Engine, few: Measured, many: Measured): Bar[] {
  const atLeast = MIN_PER_SECOND[name]
  return [
    {
      what: `${name}, jobs per second`,
      value: few.perSecond,
      ...(atLeast !== undefined && { atLeast })
    },
    {
      what: `${name}, CPU per job at ${FEW_KEPT} kept ÷ at ${MANY_KEPT}`,
      value: few.cpuPerJob / many.cpuPerJob,
      atLeast: 0.8
    },
    { what: `${name}, idle CPU in percent`, value: many.idle * 100, atMost: 1 }
  ]
}

async function measure(engine: Engine, kept: number): Promise<Measured> {
  const storage = await engine.open()
  const receiver = await startContender({
    name: 'receiver',
    script: 'servers/webhook.mjs',
    args: (port) => [String(port)],
    readyText: 'ready'
  })
  const outbox = await startContender({
    name: 'outbox',
    script: join(OWN_CHECKOUT, 'test/support/outbox-server.ts'),
    args: (port) => [String(port), JSON.stringify(locationOf(storage)), receiver.url],
    readyText: 'ready'
  })
  try {
    await fetch(`${outbox.url}/kept?count=${kept}`, { method: 'POST' })
    const rounds: { seconds: number; cpu: number }[] = []
    await round(outbox, storage)
    for (let number = 0; number < ROUNDS; number++) rounds.push(await round(outbox, storage))
    const before = await cpuMs(outbox, storage)
    await wait(IDLE_MS)
    const idle = ((await cpuMs(outbox, storage)) - before) / IDLE_MS
    return {
      perSecond: EVENTS / median(rounds.map(({ seconds }) => seconds)),
      cpuPerJob: (median(rounds.map(({ cpu }) => cpu)) * 1_000) / EVENTS,
      idle
    }
  } finally {
    await outbox.stop()
    await receiver.stop()
    await storage.remove()
  }
}

async function round(outbox: Contender, storage: StorageLocation) {
  const before = await cpuMs(outbox, storage)
  const started = performance.now()
  const added = await fetch(`${outbox.url}/jobs?count=${EVENTS}&lanes=${LANES}`, { method: 'POST' })
  let waiting = await added.text()
  while (waiting !== '0') {
    await wait(POLL_MS)
    waiting = await (await fetch(outbox.url)).text()
  }
  const seconds = (performance.now() - started) / 1_000
  return { seconds, cpu: (await cpuMs(outbox, storage)) - before }
}

/** The flags of a location as the process under test takes them. */
function locationOf({ flags }: StorageLocation) {
  const flagValue = (flag: string) => flags[flags.indexOf(flag) + 1] ?? ''
  if (!flags.includes('--database')) {
    return { engine: 'sqlite', file: join(flagValue('--data'), 'outbox.sqlite'), durable: true }
  }
  return { engine: 'postgres', url: flagValue('--database'), schema: 'outbox', durable: true }
}
