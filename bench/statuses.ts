import { capture } from './capture.ts'
import type { Cases, ServerCase, StartCase } from './cases.ts'
import { competeWithRaw } from './compete-with-raw.ts'
import { type Contender, OWN_CHECKOUT, startService } from './contender.ts'
import { compete, type Load, median, medianRound, type Round } from './load.ts'
import { startArgs, startPlain, startProbed } from './start.ts'
import { copyPosts, FIRST_ID, fill } from './statuses-data.ts'
import { benchSearch } from './statuses-search.ts'
import { type Engine, findPostgres, SQLITE, type StorageLocation } from './storage.ts'
import { type Bar, markdownTable, type Outcome, ratio, roundsTable } from './table.ts'

const ROUNDS = 5
/** Of processes: two starts of the same program differ by up to a fifth. */
const PAIRS = 7
const PAIR_ROUNDS = 3
const STARTS = 11
const FEW = 1_000
const MOST = 1_000_000
const SEARCHED = 100_000
/** Header that browsers and fetch send. */
const HEADERS = { 'accept-encoding': 'gzip, deflate, br' }
const LOAD = { connections: 32, seconds: 3, headers: HEADERS }
/** Requests are counted, but never so many. */
const FLAGS = ['--statuses-rate-limit=10000000']
const POST_PATH = `/ada/status/${FIRST_ID + FEW / 2}`
const WITHOUT = ['boxes']
const ENABLED = ['boxes', 'statuses']

export function statusesCases(engines: readonly Engine[]): Cases {
  return {
    servers: engines.map(engineCase),
    starts: [startCase('start, not enabled', WITHOUT), startCase('start, enabled', ENABLED)],
    note: `The service has ${FEW} posts.`
  }
}

function engineCase(engine: Engine): ServerCase {
  return {
    variant: engine.name,
    engine,
    async start({ checkout, storageFlags }) {
      await fill(checkout, storageFlags, FEW)
      return startStatuses(checkout, storageFlags)
    },
    rows: [
      { name: 'page of a post', load: { ...LOAD, path: POST_PATH } },
      { name: 'page of a post, 304', load: async (url) => conditionalLoad(url) },
      { name: 'redirect', load: redirectLoad(FEW) },
      { name: 'search', load: { ...LOAD, path: '/search?q=kalox', connections: 1 } }
    ]
  }
}

function startCase(name: string, services: readonly string[]): StartCase {
  return {
    name,
    figures: ['until ready'],
    measure: async ({ checkout }) => [await startCpu(checkout, services)]
  }
}

function startStatuses(
  checkout: string,
  storageFlags: readonly string[],
  name?: string
): Promise<Contender> {
  return startService(checkout, 'statuses', [...storageFlags, ...FLAGS], name)
}

async function conditionalLoad(url: string): Promise<Load> {
  const { headers } = await capture(url + POST_PATH, HEADERS)
  const etag = String(headers.etag)
  return { ...LOAD, path: POST_PATH, headers: { ...HEADERS, 'if-none-match': etag }, status: 304 }
}

/** Each request has another wrong name, and the ids follow in no order. */
function redirectLoad(count: number): Load {
  const range = { first: FIRST_ID, count }
  return { ...LOAD, path: '', numberedPath: '/wrong#/status/', range, status: 302 }
}

/** Compares pages with raw node:http, redirects with few and many posts, searches and starts. */
export async function benchStatuses(): Promise<Outcome> {
  const postgres = findPostgres()
  const engines = postgres === undefined ? [SQLITE] : [SQLITE, postgres]
  const parts = [await benchPages(), await benchRedirects(MOST)]
  for (const engine of engines) parts.push(await benchSearch(engine, SEARCHED))
  parts.push(await benchStarts())
  const setting = `${LOAD.connections} kept connections, ${ROUNDS} rounds of ${LOAD.seconds} s each.`
  const missing =
    postgres === undefined ? ['PostgreSQL is not installed here and was left out.'] : []
  return {
    title: 'statuses',
    text: [setting, ...parts.map(({ text }) => text), ...missing].join('\n\n'),
    bars: parts.flatMap(({ bars }) => bars)
  }
}

interface Part {
  text: string
  bars: readonly Bar[]
}

export async function benchPages(): Promise<Part> {
  const storage = await SQLITE.open()
  await fill(OWN_CHECKOUT, storage.flags, FEW)
  const nonet = await startStatuses(OWN_CHECKOUT, storage.flags)
  const page = await competeWithRaw(nonet, { ...LOAD, path: POST_PATH }, ROUNDS)
  const conditional = await competeWithRaw(nonet, await conditionalLoad(nonet.url), ROUNDS)
  const { residentBytes } = await nonet.usage()
  await nonet.stop()
  await storage.remove()
  return {
    text: [
      '### page of a post',
      roundsTable(page, 'nonet'),
      '### page of a post, 304',
      roundsTable(conditional, 'nonet'),
      `Resident memory of nonet after the load: ${(residentBytes / 1e6).toFixed(0)} MB.`
    ].join('\n\n'),
    bars: [
      { what: 'page, raw ÷ nonet', value: ratio(page, 'raw node:http', 'nonet'), atLeast: 0.5 },
      {
        what: '304, raw ÷ nonet',
        value: ratio(conditional, 'raw node:http', 'nonet'),
        atLeast: 0.7
      }
    ]
  }
}

/** Starts a process for each number of posts, and compares them. */
async function competeRedirects(
  counts: readonly number[],
  storages: readonly StorageLocation[]
): Promise<Map<string, Round>> {
  const contestants: { contender: Contender; load: Load }[] = []
  for (const [index, count] of counts.entries()) {
    const flags = storages[index]?.flags ?? []
    const contender = await startStatuses(OWN_CHECKOUT, flags, `${count} posts`)
    contestants.push({ contender, load: redirectLoad(count) })
  }
  const rounds = await compete(contestants, PAIR_ROUNDS)
  await Promise.all(contestants.map(({ contender }) => contender.stop()))
  return rounds
}

/** On SQLite, which runs in the process whose CPU is measured. */
export async function benchRedirects(most: number): Promise<Part> {
  const counts = [FEW, most] as const
  const storages = [await SQLITE.open(), await SQLITE.open()] as const
  const seconds: number[] = []
  for (const storage of storages) {
    seconds.push((await fill(OWN_CHECKOUT, storage.flags, FEW)).seconds)
  }
  const copying = copyPosts(storages[1].flags[1] ?? '', FEW, most)
  const [few, many] = counts.map((count) => `${count} posts`) as [string, string]
  const pairs: Map<string, Round>[] = []
  for (let pair = 0; pair < PAIRS; pair++) {
    pairs.push(await competeRedirects(counts, storages))
  }
  const rounds = new Map(
    [few, many].map((name) => [name, medianRound(pairs.flatMap((pair) => pair.get(name) ?? []))])
  )
  for (const storage of storages) await storage.remove()
  return {
    text: [
      '### redirect to the right user name, SQLite',
      roundsTable(rounds, many),
      `Medians of ${PAIRS} pairs of processes with ${PAIR_ROUNDS} rounds each. Each request has another wrong name; the ids follow in no order. Importing ${FEW} posts took ${median(seconds).toFixed(1)} s, copying them to ${most} with SQL ${copying.toFixed(1)} s.`
    ].join('\n\n'),
    bars: [
      {
        what: `redirect, CPU at ${FEW} ÷ at ${most} posts`,
        value: median(pairs.map((pair) => ratio(pair, few, many))),
        atLeast: 0.9
      }
    ]
  }
}

/** CPU microseconds until ready. */
async function startCpu(checkout: string, services: readonly string[]): Promise<number> {
  const contender = await startProbed(checkout, startArgs(services))
  const { cpuMicroseconds } = await contender.usage()
  await contender.stop()
  return cpuMicroseconds
}

async function startMegabytes(services: readonly string[]): Promise<number> {
  const { residentMegabytes, stop } = await startPlain(startArgs(services))
  const megabytes = residentMegabytes()
  await stop()
  return megabytes
}

/** Starts with and without the service in turn; it is not called. */
export async function benchStarts(): Promise<Part> {
  const kinds = [WITHOUT, ENABLED].map((services) => ({
    services,
    cpuMs: [] as number[],
    megabytes: [] as number[]
  }))
  for (let start = 0; start <= STARTS; start++) {
    for (const { services, cpuMs, megabytes } of kinds) {
      const cpu = (await startCpu(OWN_CHECKOUT, services)) / 1000
      const resident = await startMegabytes(services)
      // The first start fills the disk cache and the cache of compiled code.
      if (start === 0) continue
      cpuMs.push(cpu)
      megabytes.push(resident)
    }
  }
  const [without, enabled] = kinds.map(({ cpuMs, megabytes }) => ({
    cpuMs: median(cpuMs),
    megabytes: median(megabytes)
  }))
  const row = (name: string, figures: typeof without) => [
    name,
    `${figures?.cpuMs.toFixed(0)} ms`,
    `${figures?.megabytes.toFixed(1)} MB`
  ]
  const differenceOf = (key: 'cpuMs' | 'megabytes') =>
    (enabled?.[key] ?? Number.NaN) - (without?.[key] ?? Number.NaN)
  return {
    text: `### start, the service is not called

${markdownTable(['', 'CPU until ready', 'resident when ready'], [row('boxes', without), row('boxes and statuses', enabled)])}

Medians of ${STARTS} starts in turn, with the console.`,
    bars: [
      { what: 'start with the service, more CPU ms', value: differenceOf('cpuMs'), atMost: 30 },
      { what: 'start with the service, more MB', value: differenceOf('megabytes'), atMost: 5 }
    ]
  }
}
