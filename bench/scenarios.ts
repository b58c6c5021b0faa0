import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type ClientRequest, get, type RequestOptions } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { capture } from './capture.ts'
import type { Cases, ServerCase } from './cases.ts'
import { type Contender, OWN_CHECKOUT, startRaw, startService } from './contender.ts'
import { compete, type Load, measure, median, type Round } from './load.ts'
import { type Engine, findPostgres, SQLITE } from './storage.ts'
import { type Bar, type Outcome, ratio, roundsTable } from './table.ts'

const ROUNDS = 5
const HELD = 200
const WORKSPACES = 64

const CLASSIC: Readonly<Record<string, string>> = {
  'one user': '/api/users/2',
  'a page of users': '/api/users?page=2'
}
const CLASSIC_LOAD = { connections: 32, seconds: 3 }
const PLAIN: Load = { ...CLASSIC_LOAD, path: '/api/users/2?per_page=6' }

const WRITE: Load = {
  path: '',
  paths: Array.from({ length: WORKSPACES }, (_, n) => `/w/bench-${n}/api/users`),
  connections: 64,
  seconds: 3,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'morpheus', job: 'leader', note: 'x'.repeat(200) })
}

const CLASSIC_ROWS = Object.entries(CLASSIC).map(([name, path]) => ({
  name,
  load: { ...CLASSIC_LOAD, path }
}))

export function scenariosCases(engines: readonly Engine[]): Cases {
  return {
    servers: [
      {
        variant: '',
        start: ({ checkout }) => startClassic(checkout),
        rows: [
          ...CLASSIC_ROWS,
          { name: 'plain requests', load: PLAIN },
          { name: `plain requests, ${HELD} held`, load: PLAIN, surround: holdUntilReleased }
        ]
      },
      ...engines.map(writesCase)
    ]
  }
}

function writesCase(engine: Engine): ServerCase {
  return {
    variant: engine.name,
    engine,
    start: ({ checkout, storageFlags }) => startDurable(checkout, storageFlags),
    rows: [{ name: 'durable write', load: WRITE }]
  }
}

function startClassic(checkout: string): Promise<Contender> {
  return startService(checkout, 'scenarios', ['--ephemeral'])
}

/** Without `--ephemeral`: acknowledged writes are on the disk. */
function startDurable(checkout: string, storageFlags: readonly string[]): Promise<Contender> {
  const limits = ['--scenarios-max-records=10000000', '--scenarios-max-workspace-bytes=1073741824']
  return startService(checkout, 'scenarios', [...limits, ...storageFlags])
}

async function holdUntilReleased(url: string): Promise<() => void> {
  const waiting = await hold(url)
  return () => {
    for (const one of waiting) one.destroy()
  }
}

/** Measures classic responses, durable writes, and requests while others are delayed. */
export async function benchScenarios(): Promise<Outcome> {
  const classic = await benchClassic()
  const writes = await benchWrites()
  return {
    title: 'scenarios',
    text: [classic.text, writes.text].join('\n\n'),
    bars: [...classic.bars, ...writes.bars]
  }
}

interface Part {
  text: string
  bars: Bar[]
}

async function benchClassic(): Promise<Part> {
  const folder = mkdtempSync(join(tmpdir(), 'nonet-bench-'))
  const nonet = await startClassic(OWN_CHECKOUT)
  const file = join(folder, 'answers.json')
  const answers = Object.values(CLASSIC).map(async (path) => [
    path,
    await capture(nonet.url + path)
  ])
  writeFileSync(file, JSON.stringify(Object.fromEntries(await Promise.all(answers))))
  const raw = await startRaw('servers/raw.mjs', file)
  const parts: string[] = []
  const bars: Bar[] = []
  for (const { name: title, load } of CLASSIC_ROWS) {
    const rounds = await compete(
      [nonet, raw].map((contender) => ({ contender, load })),
      ROUNDS
    )
    parts.push(`### ${title}\n\n${roundsTable(rounds, 'nonet')}`)
    const value = ratio(rounds, raw.name, 'nonet')
    bars.push({ what: `${title}, raw ÷ nonet`, value, atLeast: 0.7 })
  }
  const held = await benchHeld(nonet)
  await Promise.all([nonet.stop(), raw.stop()])
  rmSync(folder, { recursive: true })
  return { text: [...parts, held.text].join('\n\n'), bars: [...bars, ...held.bars] }
}

/** Measures the same requests with and without two hundred delayed requests. */
async function benchHeld(nonet: Contender): Promise<Part> {
  const rounds: Record<'free' | 'held', Round[]> = { free: [], held: [] }
  await measure(nonet, PLAIN)
  for (let round = 0; round < ROUNDS; round++) {
    rounds.free.push(await measure(nonet, PLAIN))
    const release = await holdUntilReleased(nonet.url)
    rounds.held.push(await measure(nonet, PLAIN))
    release()
  }
  const p99 = (kind: 'free' | 'held') => median(rounds[kind].map((round) => round.p99))
  return {
    text: `Plain requests, ${CLASSIC_LOAD.connections} connections: p99 ${p99('free')} ms, with ${HELD} held ones ${p99('held')} ms.`,
    bars: [
      { what: `p99 with ${HELD} held ÷ without`, value: p99('held') / p99('free'), atMost: 1.5 }
    ]
  }
}

/** Half of the requests hang, half are slow; all have reached the server when this resolves. */
async function hold(url: string): Promise<Set<ClientRequest>> {
  const waiting = new Set<ClientRequest>()
  for (let n = 0; n < HELD; n++) {
    const scenario = n % 2 === 0 ? 'hang' : 'slow:60000'
    // One IP address may hold three quarters of them at most.
    const localAddress = n % 4 < 2 ? '127.0.0.1' : '127.0.0.2'
    holdOne(`${url}/api/users?scenario=${scenario}`, { agent: false, localAddress }, waiting)
  }
  for (;;) {
    const answer = await fetch(`${url}/api/users?scenario=slow:0`)
    await answer.text()
    if (answer.status === 503) return waiting
  }
}

/** Sends a rejected request again: the server may not have seen the end of earlier ones yet. */
function holdOne(url: string, options: RequestOptions, waiting: Set<ClientRequest>): void {
  const held = get(url, options)
  waiting.add(held)
  held.on('error', () => {})
  held.on('response', (response) => {
    response.resume()
    waiting.delete(held)
    if (response.statusCode === 503) holdOne(url, options, waiting)
  })
}

async function benchWrites(): Promise<Part> {
  const raw = await startRaw('servers/raw-body.mjs')
  const sqlite = await benchEngine(SQLITE, raw)
  const engine = findPostgres()
  const postgres =
    engine === undefined
      ? { text: 'PostgreSQL is not installed here and was left out.', bars: [] }
      : await benchEngine(engine, raw)
  await raw.stop()
  return {
    text: [sqlite.text, postgres.text].join('\n\n'),
    bars: [...sqlite.bars.map((bar) => ({ ...bar, atLeast: 0.35 })), ...postgres.bars]
  }
}

async function benchEngine({ name: engine, open }: Engine, raw: Contender): Promise<Part> {
  const { flags, remove } = await open()
  const nonet = await startDurable(OWN_CHECKOUT, flags)
  const rounds = await compete(
    [nonet, raw].map((contender) => ({ contender, load: WRITE })),
    ROUNDS
  )
  await nonet.stop()
  await remove()
  return {
    text: `### ${engine}: durable write, ${WRITE.connections} connections, ${WORKSPACES} workspaces\n\n${roundsTable(rounds, 'nonet')}`,
    bars: [
      { what: `${engine}: durable write, raw ÷ nonet`, value: ratio(rounds, raw.name, 'nonet') }
    ]
  }
}
