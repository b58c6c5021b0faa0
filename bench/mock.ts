import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Cases, Environment, ServerCase } from './cases.ts'
import {
  type Contender,
  launcherOf,
  OWN_CHECKOUT,
  startContender,
  startRaw,
  type Usage
} from './contender.ts'
import { compete, type Load, median, type Round } from './load.ts'
import { makeDocument, NEW_PLANT } from './mock-document.ts'
import { type Bar, markdownTable, type Outcome, ratio, roundsTable } from './table.ts'

const ROUNDS = 5
const STARTS = 3
const SIZES = [10, 100, 1000]
const LOADED_SIZE = 10
const LOAD = { connections: 32, seconds: 3 }
const READ_PATH = '/beds1/7?detail=long'
const READ: Load = { ...LOAD, path: READ_PATH, headers: { accept: 'application/json' } }
const WRITE: Load = {
  ...LOAD,
  path: '/beds1',
  headers: { accept: 'application/json', 'content-type': 'application/json' },
  body: JSON.stringify(NEW_PLANT)
}
/** Checks run in idle time after a start; CPU is read at this interval until it stops growing. */
const QUIET_MS = 300
const QUIET_CPU_MICROSECONDS = 10_000
const MAX_QUIET_ASKS = 60

const PRISM = 'Prism 5.16.0'

type Start = (document: string) => Promise<Contender>

function startMock(
  checkout: string,
  document: string,
  flags: readonly string[] = [],
  name = 'nonet'
): Promise<Contender> {
  return startContender({
    name,
    script: launcherOf(checkout),
    args: (port) => ['mock', document, '--port', String(port), ...flags],
    readyText: 'nonet is listening'
  })
}

const startOwnMock: Start = (document) => startMock(OWN_CHECKOUT, document)

const startPrism: Start = (document) =>
  startContender({
    name: PRISM,
    script: 'node_modules/@stoplight/prism-cli/dist/index.js',
    // With NODE_ENV=production Prism would fork, which fails on Node 24.
    args: (port) => ['mock', document, '--port', String(port), '--multiprocess', 'false'],
    readyText: 'Prism is listening'
  })

const RULED = 'nonet with a rule'
const UNMET = 'nonet with rules that are not met'

/** A typical rule: the requested id in the body, and a value derived from it in a header. */
const RULES = {
  rules: [
    {
      match: { operationId: 'readBed1', status: 200 },
      do: [
        { merge: { id: '{$request.path.bedId}' } },
        { setHeader: { 'x-bed': 'bed-{$request.path.bedId}' } }
      ]
    }
  ]
}
/** A hundred ids in turn, as in a test suite (cached after one pass), and ids that never repeat. */
const READ_AGAIN: Load = {
  ...READ,
  paths: Array.from({ length: 100 }, (_, index) => `/beds1/${index + 1}?detail=long`)
}
const READ_ANEW: Load = { ...READ, numberedPath: '/beds1/1' }
const UNMET_RULES = {
  rules: [
    { match: { operationId: 'plantBed1' }, do: [{ setStatus: 503 }] },
    { match: { path: '/beds2/*' }, do: [{ setStatus: 503 }] }
  ]
}

/** Variants for ordinary runs and for `--against`. */
const RULE_VARIANTS = [
  { name: 'nonet', rules: undefined, loads: [READ_AGAIN, READ_ANEW] },
  { name: RULED, rules: RULES, loads: [READ_AGAIN, READ_ANEW] },
  { name: UNMET, rules: UNMET_RULES, loads: [READ_AGAIN] }
]
type RuleVariant = (typeof RULE_VARIANTS)[number]

const ROW_NAMES = new Map<Load, string>([
  [READ, 'validated GET'],
  [WRITE, 'validated POST'],
  [READ_AGAIN, 'a hundred ids in turn'],
  [READ_ANEW, 'new ids']
])

export const mockCases: Cases = {
  servers: RULE_VARIANTS.map(serverCase),
  starts: SIZES.map((size) => ({
    name: `start, ${size} operations`,
    figures: ['until ready', 'until quiet'],
    async measure({ checkout, folder }) {
      const document = writeDocument(folder, size)
      const cost = await startOnce((file) => startMock(checkout, file), document)
      return [cost.cpuMs, cost.quietCpuMs].map((ms) => ms * 1000)
    }
  }))
}

function serverCase(variant: RuleVariant): ServerCase {
  const { rules, name, loads } = variant
  const all = rules === undefined ? [READ, WRITE, ...loads] : loads
  return {
    variant: rules === undefined ? '' : name,
    start: (environment) => startVariant(variant, environment),
    rows: all.map((load) => ({ name: ROW_NAMES.get(load) ?? '', load }))
  }
}

function startVariant(
  { name, rules }: RuleVariant,
  { checkout, folder }: Pick<Environment, 'checkout' | 'folder'>
): Promise<Contender> {
  const document = writeDocument(folder, LOADED_SIZE)
  if (rules === undefined) return startMock(checkout, document)
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(rules))
  return startMock(checkout, document, ['--transform', file], name)
}

function writeDocument(folder: string, operations: number): string {
  const file = join(folder, `herbarium-${operations}.json`)
  writeFileSync(file, JSON.stringify(makeDocument(operations)))
  return file
}

/** Compares `nonet mock` and Prism on the same documents, both with their default log to a pipe. */
export async function benchMock(): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'nonet-bench-'))
  const documents = new Map(SIZES.map((size) => [size, writeDocument(folder, size)]))
  const load = await benchLoad(documents.get(LOADED_SIZE) ?? '', folder)
  const rules = await benchRules(folder)
  const starts = await benchStarts(documents)
  rmSync(folder, { recursive: true })
  return {
    title: 'mock',
    text: `${LOAD.connections} kept connections, ${ROUNDS} rounds of ${LOAD.seconds} s each. Both log every request, raw node:http nothing.

${load.text}

### a response rule: the id of the path into the body, and into a header

${rules.text}

### start, median of ${STARTS}

${starts.text}`,
    bars: [...load.bars, ...rules.bars, ...starts.bars]
  }
}

async function benchLoad(document: string, folder: string): Promise<{ text: string; bars: Bar[] }> {
  const nonet = await startOwnMock(document)
  const peer = await startPrism(document)
  await assertAlike([nonet, peer])
  const answers = join(folder, 'answers.json')
  writeFileSync(answers, JSON.stringify({ [READ_PATH]: await capture(nonet.url + READ_PATH) }))
  const raw = await startRaw('servers/raw.mjs', answers)
  const rawBody = await startRaw('servers/raw-body.mjs')
  const before = [nonet, peer].map((contender) => contender.lines())
  const reads = await compete(
    [nonet, peer, raw].map((contender) => ({ contender, load: READ })),
    ROUNDS
  )
  const writes = await compete(
    [nonet, peer, rawBody].map((contender) => ({ contender, load: WRITE })),
    ROUNDS
  )
  for (const [index, { name, lines }] of [nonet, peer].entries()) {
    assert.ok(lines() - (before[index] ?? 0) > 1000, `${name} did not log`)
  }
  const memory = await Promise.all([nonet, peer].map((contender) => contender.usage()))
  const [ownBytes = Number.NaN, peerBytes = Number.NaN] = memory.map((each) => each.residentBytes)
  await Promise.all([nonet, peer, raw, rawBody].map((contender) => contender.stop()))
  return {
    text: `### validated GET: an integer in the path, an enum in the query, a JSON example

${roundsTable(reads, 'nonet')}

### validated POST of ${WRITE.body?.length} bytes of JSON

${roundsTable(writes, 'nonet')}

Resident memory after the load: nonet ${megabytes(ownBytes)}, ${PRISM} ${megabytes(peerBytes)}.`,
    bars: [
      { what: 'validated GET, Prism ÷ nonet', value: ratio(reads, PRISM, 'nonet'), atLeast: 6 },
      { what: 'validated POST, Prism ÷ nonet', value: ratio(writes, PRISM, 'nonet'), atLeast: 6 },
      { what: 'validated GET, raw ÷ nonet', value: ratio(reads, raw.name, 'nonet') },
      { what: 'validated POST, raw ÷ nonet', value: ratio(writes, raw.name, 'nonet') },
      { what: 'memory after the load, nonet ÷ Prism', value: ownBytes / peerBytes, atMost: 0.6 }
    ]
  }
}

/** Compares the same request with and without a rule in one run. */
async function benchRules(folder: string): Promise<{ text: string; bars: Bar[] }> {
  const contenders: Contender[] = []
  for (const variant of RULE_VARIANTS) {
    contenders.push(await startVariant(variant, { checkout: OWN_CHECKOUT, folder }))
  }
  const answer = await fetch(`${contenders[1]?.url}/beds1/9?detail=long`)
  assert.equal(answer.headers.get('x-bed'), 'bed-9')
  const { id } = (await answer.json()) as { id: number }
  assert.equal(id, 9)
  assert.equal(answer.headers.get('sl-violations'), null)
  const running = (load: Load) =>
    contenders
      .filter((_, index) => RULE_VARIANTS[index]?.loads.includes(load))
      .map((contender) => ({ contender, load }))
  const again = await compete(running(READ_AGAIN), ROUNDS)
  const anew = await compete(running(READ_ANEW), ROUNDS)
  await Promise.all(contenders.map((contender) => contender.stop()))
  const cost = (rounds: Map<string, Round>, name: string) =>
    (rounds.get(name)?.cpuMicroseconds ?? Number.NaN) -
    (rounds.get('nonet')?.cpuMicroseconds ?? Number.NaN)
  return {
    text: `The ids of a hundred records in turn:

${roundsTable(again, 'nonet')}

An id that nobody has asked for before:

${roundsTable(anew, 'nonet')}`,
    bars: [
      { what: 'a response rule, CPU in µs', value: cost(again, RULED), atMost: 30 },
      { what: 'a response rule, new ids, CPU in µs', value: cost(anew, RULED) },
      { what: 'rules that are not met, CPU in µs', value: cost(again, UNMET) }
    ]
  }
}

/** Both send the same example, and both reject requests that the document forbids. */
async function assertAlike(contenders: readonly Contender[]): Promise<void> {
  const [first, ...others] = await Promise.all(
    contenders.map(async ({ url }) => {
      const { headers = {}, body = '' } = WRITE
      const post = (text: string) => fetch(`${url}/beds1`, { method: 'POST', headers, body: text })
      const read = await fetch(url + READ_PATH)
      const written = await post(body)
      const statuses = [
        await fetch(`${url}/beds1/seven`),
        await fetch(`${url}/beds1/7?detail=none`),
        await post('{"name":"Fireweed"}')
      ].map(({ status }) => status)
      assert.deepEqual(statuses, [422, 422, 422], url)
      return [read.status, await read.json(), written.status, await written.json()]
    })
  )
  for (const other of others) assert.deepEqual(other, first)
}

/** Captures a response for the raw server to send it again. */
async function capture(url: string): Promise<object> {
  const answer = await fetch(url, { headers: READ.headers ?? {} })
  const {
    date: _,
    connection: __,
    'keep-alive': ___,
    ...headers
  } = Object.fromEntries(answer.headers)
  return { headers, body: Buffer.from(await answer.arrayBuffer()).toString('base64') }
}

interface StartCost {
  wallMs: number
  cpuMs: number
  /** CPU up to the end of the checks that follow the start. */
  quietCpuMs: number
  bytes: number
}

async function benchStarts(
  documents: ReadonlyMap<number, string>
): Promise<{ text: string; bars: Bar[] }> {
  const rows: string[][] = []
  const bars: Bar[] = []
  for (const [size, document] of documents) {
    const ours: StartCost[] = []
    const theirs: StartCost[] = []
    // The first start of each fills the disk cache and the cache of compiled code.
    await startOnce(startOwnMock, document)
    await startOnce(startPrism, document)
    for (let round = 0; round < STARTS; round++) {
      ours.push(await startOnce(startOwnMock, document))
      theirs.push(await startOnce(startPrism, document))
    }
    const [nonet, peer] = [medianCost(ours), medianCost(theirs)]
    rows.push(startRow(size, 'nonet', nonet), startRow(size, PRISM, peer))
    const share = (key: keyof StartCost) => nonet[key] / peer[key]
    bars.push(
      {
        what: `${size} operations, CPU until ready, nonet ÷ Prism`,
        value: share('cpuMs'),
        atMost: 0.3
      },
      {
        what: `${size} operations, seconds until ready, nonet ÷ Prism`,
        value: share('wallMs'),
        atMost: 0.3
      },
      { what: `${size} operations, memory when quiet, nonet ÷ Prism`, value: share('bytes') }
    )
  }
  const head = ['operations', 'server', 'ready after', 'CPU until ready', 'CPU until quiet']
  return { text: markdownTable([...head, 'resident when quiet'], rows), bars }
}

async function startOnce(start: Start, document: string): Promise<StartCost> {
  const began = performance.now()
  const contender = await start(document)
  const wallMs = performance.now() - began
  const ready = await contender.usage()
  const quiet = await untilQuiet(contender, ready)
  await contender.stop()
  return {
    wallMs,
    cpuMs: ready.cpuMicroseconds / 1000,
    quietCpuMs: quiet.cpuMicroseconds / 1000,
    bytes: quiet.residentBytes
  }
}

async function untilQuiet(contender: Contender, ready: Usage): Promise<Usage> {
  let before = ready
  for (let asked = 0; asked < MAX_QUIET_ASKS; asked++) {
    await wait(QUIET_MS)
    const now = await contender.usage()
    if (now.cpuMicroseconds - before.cpuMicroseconds < QUIET_CPU_MICROSECONDS) return now
    before = now
  }
  return before
}

function medianCost(costs: readonly StartCost[]): StartCost {
  const of = (key: keyof StartCost) => median(costs.map((cost) => cost[key]))
  return {
    wallMs: of('wallMs'),
    cpuMs: of('cpuMs'),
    quietCpuMs: of('quietCpuMs'),
    bytes: of('bytes')
  }
}

function startRow(size: number, name: string, cost: StartCost): string[] {
  return [
    String(size),
    name,
    ...[cost.wallMs, cost.cpuMs, cost.quietCpuMs].map((ms) => `${(ms / 1000).toFixed(2)} s`),
    megabytes(cost.bytes)
  ]
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
