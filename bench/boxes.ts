import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Contender, startContender } from './contender.ts'
import { compete, type Load, measure, type Round } from './load.ts'
import { findPostgres, type OpenPlace, openFolder, openServer, type Place } from './place.ts'
import { type Bar, type Outcome, ratio, roundsTable } from './table.ts'

const ROUNDS = 5
const FEW = 1000
const MANY = 100_000
const MOST = 1_000_000
/** Different records that are read. */
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

/** Durable, unlike the other benchmarks: what is acknowledged is on the disk. */
function startBoxes(name: string, port: number, { flags }: Place): Promise<Contender> {
  return startContender({
    name,
    script: '../bin/nonet.mjs',
    args: ['up', 'boxes', '--no-console', '--quiet', `--port=boxes=${port}`, ...flags],
    url: `http://127.0.0.1:${port}`,
    readyText: 'Stop with'
  })
}

/** A thousand at a time; the ids of some, spread evenly. */
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

/** nonet on both engines, raw node:http that reads the body, and json-server at 100,000 records. */
export async function benchBoxes(ports: readonly number[]): Promise<Outcome> {
  const [rawPort = 0, peerPort = 0, ...own] = ports
  const raw = await startContender({
    name: 'raw node:http',
    script: 'servers/raw-body.mjs',
    args: [String(rawPort)],
    url: `http://127.0.0.1:${rawPort}`,
    readyText: 'ready'
  })
  const sqlite = await benchEngine('SQLite', openFolder, own, raw)
  const binaries = findPostgres()
  const postgres =
    binaries === undefined
      ? { text: 'PostgreSQL is not installed here and was left out.', bars: [] }
      : await benchEngine('PostgreSQL', () => openServer(binaries), own, raw)
  await raw.stop()
  const peerPerSecond = await benchPeer(peerPort)
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
  /** Create, read, memory. */
  bars: Bar[]
  createsPerSecond: number
}

async function benchEngine(
  engine: string,
  openPlace: OpenPlace,
  [fewPort = 0, mostPort = 0]: readonly number[],
  raw: Contender
): Promise<EngineOutcome> {
  const places = [await openPlace(), await openPlace()] as const
  const few = await startBoxes('1,000 records', fewPort, places[0])
  const most = await startBoxes('1,000,000 records', mostPort, places[1])
  await fill(most.url, 'many', MANY)
  const nonet = { ...most, name: 'nonet' }
  const creates = await compete(
    [nonet, raw].map((contender) => ({ contender, load: CREATE })),
    ROUNDS
  )
  const lists = await benchLists(most)
  const boxes = { few: await fill(few.url, 'few', FEW), most: await fill(most.url, 'most', MOST) }
  // Filling takes memory that a server in use has long given back.
  await Promise.all([few.stop(), most.stop()])
  const reading = [
    await startBoxes('1,000 records', fewPort, places[0]),
    await startBoxes('1,000,000 records', mostPort, places[1])
  ] as const
  const reads = await compete(
    [
      { contender: reading[0], load: readLoad('few', boxes.few) },
      { contender: reading[1], load: readLoad('most', boxes.most) }
    ],
    ROUNDS
  )
  const [fewBytes, mostBytes] = await Promise.all(reading.map(residentBytes))
  await Promise.all(reading.map((contender) => contender.stop()))
  for (const place of places) await place.remove()
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

const QUESTIONS: Readonly<Record<string, string>> = {
  'newest 20': '/many',
  'q=, a common value': '/many?q=age:=30',
  'q=, one match among all': `/many?q=n:=${MANY / 2}`,
  'q=, no match, contains': '/many?q=name:*nobody*',
  'sort by a field': '/many?sort=-age'
}

/** The same and more, once `n`, `age` and `name` are indexed. */
const INDEXED: Readonly<Record<string, string>> = {
  'indexed: one match among all': `/many?q=n:=${MANY / 2}`,
  'indexed: a range of 20': `/many?q=n:>=${MANY / 2},n:<${MANY / 2 + 20}`,
  'indexed: two conditions': `/many?q=n:<1000,age:=30`,
  'indexed: text, any case': `/many?q=name:person number ${MANY / 2}`,
  'indexed: sort by a field': '/many?sort=-n'
}
/** The bar is for this one. */
const INDEXED_BAR = 'indexed: one match among all'

interface Lists {
  text: string
  indexedMs: number
}

async function benchLists(contender: Contender): Promise<Lists> {
  const rounds = new Map<string, Round>()
  async function ask(questions: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, path] of Object.entries(questions)) {
      const load = { path: encodeURI(path), connections: 1, seconds: 3 }
      await measure(contender, load)
      rounds.set(name, await measure(contender, load))
    }
  }
  await ask(QUESTIONS)
  const building = await declareIndexes(contender)
  await ask(INDEXED)
  const micros = rounds.get(INDEXED_BAR)?.cpuMicroseconds ?? Number.NaN
  return {
    text: `${roundsTable(rounds, 'newest 20')}\n\nThree indexes over ${MANY} records were ready after ${building.toFixed(1)} s.`,
    indexedMs: micros / 1000
  }
}

/** Seconds until they answer. */
async function declareIndexes({ url }: Contender): Promise<number> {
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

/** It writes its whole file for each record, so a few requests tell enough. */
async function benchPeer(port: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'nonet-bench-'))
  const file = join(folder, 'db.json')
  const created = Array.from({ length: MANY }, (_, n) => ({ id: n, ...JSON.parse(makeRecord(n)) }))
  writeFileSync(file, JSON.stringify({ created }))
  const peer = await startContender({
    name: 'json-server 0.17',
    script: 'node_modules/json-server/lib/cli/bin.js',
    args: ['--quiet', '--host=127.0.0.1', '--port', String(port), file],
    url: `http://127.0.0.1:${port}`
  })
  await untilAnswers(`${peer.url}/created/1`)
  const { requestsPerSecond } = await measure(peer, { ...CREATE, connections: 2, seconds: 10 })
  await peer.stop()
  rmSync(folder, { recursive: true })
  return requestsPerSecond
}

async function untilAnswers(url: string): Promise<void> {
  for (;;) {
    const answered = await fetch(url).then(
      ({ ok }) => ok,
      () => false
    )
    if (answered) return
  }
}

function megabytes(bytes: number | undefined): string {
  return `${Math.round((bytes ?? Number.NaN) / 1e6)} MB`
}
