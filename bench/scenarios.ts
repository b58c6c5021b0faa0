import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type ClientRequest, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { capture } from './capture.ts'
import { type Contender, startContender, startNonet } from './contender.ts'
import { compete, type Load, measure, median, type Round } from './load.ts'
import { findPostgres, openFolder, openServer, type Place } from './place.ts'
import { type Bar, type Outcome, ratio, roundsTable } from './table.ts'

const ROUNDS = 5
const HELD = 200
const WORKSPACES = 64

const CLASSIC: Readonly<Record<string, string>> = {
  'one user': '/api/users/2',
  'a page of users': '/api/users?page=2'
}
const CLASSIC_LOAD = { connections: 32, seconds: 3 }

const WRITE: Load = {
  path: '',
  paths: Array.from({ length: WORKSPACES }, (_, n) => `/w/bench-${n}/api/users`),
  connections: 64,
  seconds: 3,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'morpheus', job: 'leader', note: 'x'.repeat(200) })
}

/** Classic answers, durable writes on both engines, and plain requests while others are held. */
export async function benchScenarios(ports: readonly number[]): Promise<Outcome> {
  const [own = 0, rawPort = 0, bodyPort = 0, ...storePorts] = ports
  const classic = await benchClassic(own, rawPort)
  const writes = await benchWrites(bodyPort, storePorts)
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

async function benchClassic(own: number, rawPort: number): Promise<Part> {
  const folder = mkdtempSync(join(tmpdir(), 'nonet-bench-'))
  const nonet = await startNonet('scenarios', own, ['--no-console'])
  const file = join(folder, 'answers.json')
  const answers = Object.values(CLASSIC).map(async (path) => [
    path,
    await capture(nonet.url + path)
  ])
  writeFileSync(file, JSON.stringify(Object.fromEntries(await Promise.all(answers))))
  const raw = await startContender({
    name: 'raw node:http',
    script: 'servers/raw.mjs',
    args: [String(rawPort), file],
    url: `http://127.0.0.1:${rawPort}`,
    readyText: 'ready'
  })
  const parts: string[] = []
  const bars: Bar[] = []
  for (const [title, path] of Object.entries(CLASSIC)) {
    const load = { ...CLASSIC_LOAD, path }
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

/** The same plain requests, with and without two hundred that wait. */
async function benchHeld(nonet: Contender): Promise<Part> {
  const load = { ...CLASSIC_LOAD, path: '/api/users/2?per_page=6' }
  const rounds: Record<'free' | 'held', Round[]> = { free: [], held: [] }
  await measure(nonet, load)
  for (let round = 0; round < ROUNDS; round++) {
    rounds.free.push(await measure(nonet, load))
    const waiting = await hold(nonet.url)
    rounds.held.push(await measure(nonet, load))
    for (const one of waiting) one.destroy()
  }
  const p99 = (kind: 'free' | 'held') => median(rounds[kind].map((round) => round.p99))
  return {
    text: `Plain requests, ${CLASSIC_LOAD.connections} connections: p99 ${p99('free')} ms, with ${HELD} held ones ${p99('held')} ms.`,
    bars: [
      { what: `p99 with ${HELD} held ÷ without`, value: p99('held') / p99('free'), atMost: 1.5 }
    ]
  }
}

/** Half of them hang, half are slow; all have reached the server when this returns. */
async function hold(url: string): Promise<ClientRequest[]> {
  const waiting = Array.from({ length: HELD }, (_, n) => {
    const spec = n % 2 === 0 ? 'hang' : 'slow:60000'
    const held = get(`${url}/api/users?scenario=${spec}`, { agent: false })
    return held.on('error', () => {})
  })
  for (;;) {
    const answer = await fetch(`${url}/api/users?scenario=slow:0`)
    await answer.text()
    if (answer.status === 503) return waiting
  }
}

async function benchWrites(bodyPort: number, ports: readonly number[]): Promise<Part> {
  const raw = await startContender({
    name: 'raw node:http',
    script: 'servers/raw-body.mjs',
    args: [String(bodyPort)],
    url: `http://127.0.0.1:${bodyPort}`,
    readyText: 'ready'
  })
  const sqlite = await benchEngine('SQLite', await openFolder(), ports[0] ?? 0, raw)
  const binaries = findPostgres()
  const postgres =
    binaries === undefined
      ? { text: 'PostgreSQL is not installed here and was left out.', bars: [] }
      : await benchEngine('PostgreSQL', await openServer(binaries), ports[1] ?? 0, raw)
  await raw.stop()
  return {
    text: [sqlite.text, postgres.text].join('\n\n'),
    bars: [...sqlite.bars.map((bar) => ({ ...bar, atLeast: 0.35 })), ...postgres.bars]
  }
}

/** Durable: what is acknowledged is on the disk. */
async function benchEngine(
  engine: string,
  { flags, remove }: Place,
  port: number,
  raw: Contender
): Promise<Part> {
  const limits = ['--scenarios-max-records=10000000', '--scenarios-max-workspace-bytes=1073741824']
  const nonet = await startContender({
    name: 'nonet',
    script: '../bin/nonet.mjs',
    args: [
      ...['up', 'scenarios', '--no-console', '--quiet', `--port=scenarios=${port}`],
      ...[...limits, ...flags]
    ],
    url: `http://127.0.0.1:${port}`,
    readyText: 'Stop with'
  })
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
