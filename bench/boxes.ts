import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cases, type Row, resolveLoad, type ServerCase } from './cases.ts'
import {
  type Contender,
  OWN_CHECKOUT,
  startContender,
  startRaw,
  startService,
  untilAnswers
} from './contender.ts'
import { compete, type Load, measure, type Round } from './load.ts'
import { type Engine, findPostgres, SQLITE } from './storage.ts'
import { type Bar, type Outcome, ratio, roundsTable } from './table.ts'

const ROUNDS = 5
const FEW = 1000
const MANY = 100_000
const MOST = 1_000_000
/** Number of different records that are read. */
const READ = 2000

const CREATE: Load = {
  path: '/created',
  connections: 64,
  seconds: 3,
  headers: { 'content-type': 'application/json' },
  body: makeRecord(1)
}

function makeRecord(n: number): string {
  const tags = `["tag${n % 10}","tag${n % 7}"]`
  const home = `{"town":"Town ${n % 100}","street":"A rather long street name ${n % 1000}"}`
  return `{"n":${n},"name":"Person number ${n}","age":${n % 90},"tags":${tags},"home":${home},"note":"${'x'.repeat(80)}"}`
}

/**
 * Fewer records than in ordinary runs: filling would take longer than measuring, and the cost per
 * record does not depend on the number.
 */
const AGAINST = { listed: 20_000, most: 100_000 }

export function boxesCases(engines: readonly Engine[]): Cases {
  return {
    servers: engines.flatMap((engine) => [
      listsCase(engine),
      readsCase(engine, 'few', FEW),
      readsCase(engine, 'most', AGAINST.most)
    ]),
    note: `Boxes hold ${AGAINST.listed} records for creates and lists instead of ${MANY}, and ${AGAINST.most} for reads instead of ${MOST}.`
  }
}

function listsCase(engine: Engine): ServerCase {
  const { listed } = AGAINST
  return {
    variant: engine.name,
    engine,
    start: ({ checkout, storageFlags }) => startBoxes(checkout, storageFlags),
    prepare: async (url) => {
      await fill(url, 'many', listed)
    },
    rows: [{ name: 'create', load: CREATE }, ...listRows(listed), ...indexedRows(listed)]
  }
}

function readsCase(engine: Engine, box: string, count: number): ServerCase {
  return {
    variant: engine.name,
    engine,
    start: ({ checkout, storageFlags }) => startBoxes(checkout, storageFlags),
    rows: [
      {
        name: `read by id, ${count} records`,
        load: async (url) => readLoad(box, await fill(url, box, count))
      }
    ]
  }
}

/** Without `--ephemeral`, unlike the other benchmarks: acknowledged records are on the disk. */
function startBoxes(
  checkout: string,
  storageFlags: readonly string[],
  name?: string
): Promise<Contender> {
  return startService(checkout, 'boxes', storageFlags, name)
}

/** Creates records, a thousand per request. Returns the ids of some of them, spread evenly. */
async function fill(url: string, box: string, count: number): Promise<string[]> {
  const ids: string[] = []
  const step = Math.max(1, Math.floor(count / READ))
  for (let from = 0; from < count; from += 1000) {
    const records = Array.from({ length: 1000 }, (_, n) => makeRecord(from + n))
    const answer = await fetch(`${url}/${box}`, { method: 'POST', body: `[${records.join()}]` })
    const stored = (await answer.json()) as { _id: string }[]
    ids.push(...stored.filter((_, n) => (from + n) % step === 0).map(({ _id }) => _id))
  }
  return ids
}

/** Compares nonet on both engines, raw node:http that reads the body, and json-server. */
export async function benchBoxes(): Promise<Outcome> {
  const raw = await startRaw('servers/raw-body.mjs')
  const sqlite = await benchEngine(SQLITE, raw)
  const engine = findPostgres()
  const postgres =
    engine === undefined
      ? { text: 'PostgreSQL is not installed here and was left out.', bars: [] }
      : await benchEngine(engine, raw)
  await raw.stop()
  const peerPerSecond = await benchPeer()
  const size = makeRecord(1).length
  return {
    title: 'boxes',
    text: [
      `Every answer to a create is on the disk. Records of ${size} bytes, ${ROUNDS} rounds.`,
      sqlite.text,
      postgres.text,
      `json-server 0.17 creates ${peerPerSecond.toFixed(1)} records/s at ${MANY} records.`
    ].join('\n\n'),
    bars: [
      ...withLimits(sqlite.bars, [{ atLeast: 0.4 }, { atLeast: 0.9 }, { atMost: 1.5 }]),
      {
        what: `create at ${MANY} records, nonet on SQLite ÷ json-server in requests/s`,
        value: sqlite.createsPerSecond / peerPerSecond,
        atLeast: 20
      },
      ...postgres.bars
    ]
  }
}

function withLimits(bars: readonly Bar[], limits: readonly Partial<Bar>[]): Bar[] {
  return bars.map((bar, index) => ({ ...bar, ...limits[index] }))
}

interface EngineOutcome {
  text: string
  /** In this order: create, read, memory, indexed query. */
  bars: Bar[]
  createsPerSecond: number
}

async function benchEngine({ name: engine, open }: Engine, raw: Contender): Promise<EngineOutcome> {
  const locations = [await open(), await open()] as const
  const startFew = () => startBoxes(OWN_CHECKOUT, locations[0].flags, '1,000 records')
  const startMost = () => startBoxes(OWN_CHECKOUT, locations[1].flags, '1,000,000 records')
  const few = await startFew()
  const most = await startMost()
  await fill(most.url, 'many', MANY)
  const nonet = { ...most, name: 'nonet' }
  const creates = await compete(
    [nonet, raw].map((contender) => ({ contender, load: CREATE })),
    ROUNDS
  )
  const lists = await benchLists(most)
  const boxes = { few: await fill(few.url, 'few', FEW), most: await fill(most.url, 'most', MOST) }
  // Restarted, because filling takes memory that a server in use has released.
  await Promise.all([few.stop(), most.stop()])
  const reading = [await startFew(), await startMost()] as const
  const reads = await compete(
    [
      { contender: reading[0], load: readLoad('few', boxes.few) },
      { contender: reading[1], load: readLoad('most', boxes.most) }
    ],
    ROUNDS
  )
  const [fewBytes, mostBytes] = await Promise.all(reading.map(residentBytes))
  await Promise.all(reading.map((contender) => contender.stop()))
  for (const location of locations) await location.remove()
  return {
    createsPerSecond: creates.get('nonet')?.requestsPerSecond ?? Number.NaN,
    text: [
      `### ${engine}: create, 64 connections, ${MANY} records there`,
      roundsTable(creates, 'nonet'),
      `### ${engine}: read by id, ${READ} different records`,
      roundsTable(reads, reading[1].name),
      `### ${engine}: lists, ${MANY} records, one connection`,
      lists.text,
      `Resident memory after the reads: ${megabytes(fewBytes)} with ${FEW} records, ${megabytes(mostBytes)} with ${MOST + MANY}.`
    ].join('\n\n'),
    bars: [
      { what: `${engine}: create, raw ÷ nonet`, value: ratio(creates, raw.name, 'nonet') },
      {
        what: `${engine}: read, CPU at ${FEW} ÷ at ${MOST} records`,
        value: ratio(reads, reading[0].name, reading[1].name)
      },
      {
        what: `${engine}: memory at ${MOST} ÷ at ${FEW} records`,
        value: (mostBytes ?? Number.NaN) / (fewBytes ?? Number.NaN)
      },
      {
        what: `${engine}: indexed query over ${MANY} records, CPU ms`,
        value: lists.indexedMs,
        atMost: 1
      }
    ]
  }
}

async function residentBytes(contender: Contender): Promise<number> {
  return (await contender.usage()).residentBytes
}

function readLoad(box: string, ids: readonly string[]): Load {
  const paths = ids.slice(0, READ).map((id) => `/${box}/${id}`)
  return { path: '', paths, connections: 64, seconds: 3 }
}

function listRow(name: string, path: string): Row & { load: Load } {
  return { name, load: { path: encodeURI(path), connections: 1, seconds: 3 } }
}

function listRows(count: number) {
  return [
    listRow('newest 20', '/many'),
    listRow('q=, a common value', '/many?q=age:=30'),
    listRow('q=, one match among all', `/many?q=n:=${count / 2}`),
    listRow('q=, no match, contains', '/many?q=name:*nobody*'),
    listRow('sort by a field', '/many?sort=-age')
  ]
}

/** Lists that use indexes on `n`, `age` and `name`. */
function indexedRows(count: number): Row[] {
  const half = count / 2
  return [
    listRow(INDEXED_BAR, `/many?q=n:=${half}`),
    listRow('indexed: a range of 20', `/many?q=n:>=${half},n:<${half + 20}`),
    listRow('indexed: two conditions', '/many?q=n:<1000,age:=30'),
    listRow('indexed: text, any case', `/many?q=name:person number ${half}`),
    listRow('indexed: sort by a field', '/many?sort=-n')
  ].map(({ name, load }) => ({
    name,
    async load(url) {
      await declareIndexes(url)
      return load
    }
  }))
}

/** Name of the row that has a limit. */
const INDEXED_BAR = 'indexed: one match among all'

interface Lists {
  text: string
  indexedMs: number
}

async function benchLists(contender: Contender): Promise<Lists> {
  const rounds = new Map<string, Round>()
  async function measureRows(rows: readonly Row[]): Promise<void> {
    for (const row of rows) {
      const load = await resolveLoad(row, contender.url)
      await measure(contender, load)
      rounds.set(row.name, await measure(contender, load))
    }
  }
  await measureRows(listRows(MANY))
  const building = await declareIndexes(contender.url)
  await measureRows(indexedRows(MANY))
  const micros = rounds.get(INDEXED_BAR)?.cpuMicroseconds ?? Number.NaN
  return {
    text: `${roundsTable(rounds, 'newest 20')}\n\nThree indexes over ${MANY} records were ready after ${building.toFixed(1)} s.`,
    indexedMs: micros / 1000
  }
}

/** Creates the indexes and returns the seconds until all of them are ready. */
async function declareIndexes(url: string): Promise<number> {
  const started = performance.now()
  const address = `${url}/_indexes/many`
  await fetch(address, { method: 'PUT', body: '["n","age","name"]' })
  for (;;) {
    const indexes = (await (await fetch(address)).json()) as { state: string }[]
    if (indexes.every(({ state }) => state === 'ready')) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return (performance.now() - started) / 1000
}

/** Only a few requests are sent, because json-server writes its whole file for each record. */
async function benchPeer(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'nonet-bench-'))
  const file = join(folder, 'db.json')
  const created = Array.from({ length: MANY }, (_, n) => ({ id: n, ...JSON.parse(makeRecord(n)) }))
  writeFileSync(file, JSON.stringify({ created }))
  const peer = await startContender({
    name: 'json-server 0.17',
    script: 'node_modules/json-server/lib/cli/bin.js',
    args: (port) => ['--quiet', '--host=127.0.0.1', '--port', String(port), file]
  })
  await untilAnswers(`${peer.url}/created/1`)
  const { requestsPerSecond } = await measure(peer, { ...CREATE, connections: 2, seconds: 10 })
  await peer.stop()
  rmSync(folder, { recursive: true })
  return requestsPerSecond
}

function megabytes(bytes: number | undefined): string {
  return `${Math.round((bytes ?? Number.NaN) / 1e6)} MB`
}
