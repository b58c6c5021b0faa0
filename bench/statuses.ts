import { capture } from './capture.ts'
import type { Cases, ServerCase } from './cases.ts'
import { competeWithRaw } from './compete-with-raw.ts'
import { type Contender, OWN_CHECKOUT, startService } from './contender.ts'
import { compete, type Load, median, medianRound, type Round } from './load.ts'
import { benchServiceStart, serviceStartCases } from './service-start.ts'
import { copyPosts, FIRST_ID, fill } from './statuses-data.ts'
import { benchSearch } from './statuses-search.ts'
import { type Engine, findPostgres, SQLITE, type StorageLocation } from './storage.ts'
import { type Bar, type Outcome, ratio, roundsTable } from './table.ts'

const ROUNDS = 5
/** Of processes: two starts of the same program differ by up to a fifth. */
const PAIRS = 7
const PAIR_ROUNDS = 3
const FEW = 1_000
const MOST = 1_000_000
const SEARCHED = 100_000
/** Header that browsers and fetch send. */
const HEADERS = { 'accept-encoding': 'gzip, deflate, br' }
const LOAD = { connections: 32, seconds: 3, headers: HEADERS }
/** Requests are counted, but never so many. */
const FLAGS = ['--statuses-rate-limit=10000000']
const POST_PATH = `/ada/status/${FIRST_ID + FEW / 2}`

export function statusesCases(engines: readonly Engine[]): Cases {
  return {
    servers: engines.map(engineCase),
    starts: serviceStartCases('statuses', 'boxes'),
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
  parts.push(await benchServiceStart('statuses', 'boxes', { cpuMs: 30, megabytes: 5 }))
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
