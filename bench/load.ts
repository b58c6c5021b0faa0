import { createRequire } from 'node:module'
import type { Contender } from './contender.ts'

const autocannon: (options: object) => Promise<Report> = createRequire(import.meta.url)(
  'autocannon'
)

/** Interval at which autocannon checks whether all requests of an `amount` have a response. */
const AMOUNT_SAMPLE_MS = 20
/** On a busy machine autocannon takes over 10 s to build 2,000 requests for 64 connections. */
const TIMEOUT_SECONDS = 60
/** A prime number, so that every number of a range is used before the first one again. */
const STEP = 7_368_787

export interface Load {
  path: string
  connections: number
  seconds: number
  /** Number of requests; replaces `seconds`. */
  amount?: number
  body?: string
  headers?: Readonly<Record<string, string>>
  /** Paths that are requested in turn instead of `path`. */
  paths?: readonly string[]
  /** Prefix of paths that end with a new number each time, instead of `path`. */
  numberedPath?: string
  /** First number of the numbered paths; 0 by default. */
  firstNumber?: number
  /** The numbered paths end with numbers of this range, scattered; the new number replaces `#`. */
  range?: { first: number; count: number }
  /** Status of all responses; 2xx by default. */
  status?: number
  /** Bodies that are sent to `path` in turn. */
  bodies?: readonly string[]
}

export interface Round {
  cpuMicroseconds: number
  requests: number
  requestsPerSecond: number
  p50: number
  p99: number
}

/** Sends one burst; the server, which is another process, reports the CPU that it used. */
export async function measure(contender: Contender, load: Load): Promise<Round> {
  const before = await contender.usage()
  const report = await fire(contender.url, load)
  const after = await contender.usage()
  const bad = countBad(report, load)
  if (bad > 0 || report.errors > 0) {
    throw new Error(`${contender.name}: ${bad} bad answers, ${report.errors} errors`)
  }
  return {
    cpuMicroseconds: (after.cpuMicroseconds - before.cpuMicroseconds) / report.requests.total,
    requests: report.requests.total,
    requestsPerSecond: report.requests.total / report.duration,
    p50: report.latency.p50,
    p99: report.latency.p99
  }
}

function countBad({ non2xx, requests, statusCodeStats }: Report, { status }: Load): number {
  if (status === undefined) return non2xx
  return requests.total - (statusCodeStats[status]?.count ?? 0)
}

interface Report {
  non2xx: number
  errors: number
  /** By status. */
  statusCodeStats: Readonly<Record<number, { count: number }>>
  requests: { total: number }
  /** In seconds. */
  duration: number
  latency: { p50: number; p99: number }
}

function fire(url: string, load: Load): Promise<Report> {
  const { connections, seconds, amount } = load
  const length =
    amount === undefined ? { duration: seconds } : { amount, sampleInt: AMOUNT_SAMPLE_MS }
  return autocannon({
    ...{ url, connections, timeout: TIMEOUT_SECONDS, ...length },
    requests: requestsOf(load)
  })
}

function requestsOf({ path, paths, numberedPath, body, bodies, headers, ...load }: Load) {
  if (numberedPath !== undefined) {
    const nextPath = numberPaths(numberedPath, load)
    return [{ headers, setupRequest: (one: object) => ({ ...one, path: nextPath() }) }]
  }
  if (bodies !== undefined)
    return bodies.map((one) => ({ method: 'POST', path, body: one, headers }))
  const sent = body === undefined ? { headers } : { method: 'POST', body, headers }
  if (paths === undefined) return [{ path, ...sent }]
  let count = 0
  // Requests of their own for 2,000 paths and 64 connections take autocannon seconds to build.
  const nextPath = () => paths[count++ % paths.length]
  return [{ ...sent, setupRequest: (one: object) => ({ ...one, path: nextPath() }) }]
}

function numberPaths(
  prefix: string,
  { firstNumber = 0, range }: Pick<Load, 'firstNumber' | 'range'>
) {
  let count = firstNumber
  return () => {
    const number = count++
    if (range === undefined) return prefix + number
    return prefix.replace('#', String(number)) + (range.first + ((number * STEP) % range.count))
  }
}

/** Warms up all servers, then measures them in turn; the order changes each round. */
export async function compete(
  contenders: readonly { contender: Contender; load: Load }[],
  rounds: number
): Promise<Map<string, Round>> {
  for (const { contender, load } of contenders) await measure(contender, { ...load, seconds: 2 })
  const results = new Map<string, Round[]>(contenders.map(({ contender }) => [contender.name, []]))
  for (let round = 0; round < rounds; round++) {
    const shift = round % contenders.length
    for (const { contender, load } of [...contenders.slice(shift), ...contenders.slice(0, shift)]) {
      results.get(contender.name)?.push(await measure(contender, load))
    }
  }
  return new Map([...results].map(([name, all]) => [name, medianRound(all)]))
}

/** The median of each figure. */
export function medianRound(rounds: readonly Round[]): Round {
  const of = (key: keyof Round) => median(rounds.map((round) => round[key]))
  return {
    cpuMicroseconds: of('cpuMicroseconds'),
    requests: of('requests'),
    requestsPerSecond: of('requestsPerSecond'),
    p50: of('p50'),
    p99: of('p99')
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** The smallest value that this share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
}
