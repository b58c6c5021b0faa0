import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cases, type Row, resolveLoad, type ServerCase, type StartCase } from './cases.ts'
import { type Contender, launcherOf, OWN_CHECKOUT } from './contender.ts'
import { type Load, measure, median, type Round } from './load.ts'
import type { StorageLocation } from './storage.ts'

export const MIN_ROUNDS = 7
/** A ratio of old ÷ new below this limit is marked in the table and fails the run. */
const LOWEST_RATIO = 0.95
/**
 * V8 compiles during the first 30,000 small requests: each takes 170 µs of CPU at first and 45 µs
 * then. The time is for requests of which so many take minutes.
 */
const WARM_REQUESTS = 40_000
const MAX_WARM_SECONDS = 8
/** Requests are measured for this much CPU of a server, so that other load cannot shorten it. */
const ROUND_CPU_SECONDS = 1
/** Limit of the length of a measurement, because a server may spend its time waiting for a database. */
const MAX_ROUND_SECONDS = 3
const MIN_REQUESTS = 5
/** Numbered paths start this far apart in each burst, so that no number is used twice. */
const NUMBERS_PER_BURST = 1_000_000

export interface AgainstOptions {
  /** Folder of the other checkout of nonet. */
  old: string
  rounds: number
  /** Rows are measured if their name contains one of these strings; all rows if empty. */
  rows: readonly string[]
  out: string | undefined
}

interface Side {
  contender: Contender
  close: () => Promise<void>
}

/** Microseconds of CPU per request or start, one number per round. */
interface Samples {
  old: number[]
  new: number[]
}

/** Measures the CPU of nonet in another folder and in this one. True if no row got slower. */
export async function benchAgainst(
  benchmarks: Readonly<Record<string, Cases>>,
  options: AgainstOptions
): Promise<boolean> {
  for (const checkout of [options.old, OWN_CHECKOUT]) installIn(checkout)
  const report = new Report(options)
  report.begin()
  for (const [name, { servers, starts = [], note }] of Object.entries(benchmarks)) {
    const before = report.count
    for (const start of starts) await compareStarts(name, start, options, report)
    for (const server of servers) await compareServers(name, server, options, report)
    if (note !== undefined && report.count > before) report.notes.push(`${name}: ${note}`)
  }
  return report.end()
}

/** Starts the launcher of the checkout once, because it installs dependencies on first use. */
function installIn(checkout: string): void {
  const args = [launcherOf(checkout), '--version']
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`no nonet that starts in ${checkout}`)
}

async function compareStarts(
  benchmark: string,
  { name, figures, measure: measureStart }: StartCase,
  options: AgainstOptions,
  report: Report
): Promise<void> {
  const names = figures.map((figure) => `${benchmark}: ${name}, ${figure}`)
  if (!names.some((row) => isWanted(row, options))) return
  const samples: Samples[] = names.map(() => ({ old: [], new: [] }))
  const folder = mkdtempSync(join(tmpdir(), 'nonet-bench-'))
  const start = (checkout: string) => measureStart({ checkout, folder, storageFlags: [] })
  // The first start fills the disk cache and the cache of compiled code.
  await start(options.old)
  await start(OWN_CHECKOUT)
  await alternate(options.rounds, async (side) => {
    const microseconds = await start(side === 'old' ? options.old : OWN_CHECKOUT)
    for (const [index, value] of microseconds.entries()) samples[index]?.[side].push(value)
  })
  rmSync(folder, { recursive: true })
  for (const [index, row] of names.entries()) {
    const found = samples[index]
    if (found !== undefined && isWanted(row, options)) report.add(row, found)
  }
}

/**
 * Both servers are started anew in each round: the CPU per request of two processes of the same code
 * differs by up to 14 %, for as long as they live.
 */
async function compareServers(
  benchmark: string,
  server: ServerCase,
  options: AgainstOptions,
  report: Report
): Promise<void> {
  const prefix = server.variant === '' ? benchmark : `${benchmark}: ${server.variant}`
  const rows = server.rows.filter(({ name }) => isWanted(`${prefix}: ${name}`, options))
  if (rows.length === 0) return
  const samples: Samples[] = rows.map(() => ({ old: [], new: [] }))
  for (let round = 0; round < options.rounds; round++) {
    await withServers(server, options, round, async (old, own) => {
      for (const [index, row] of rows.entries()) {
        const measured = await compareLoads(row, old, own, round)
        samples[index]?.old.push(measured.old)
        samples[index]?.new.push(measured.new)
      }
    })
  }
  for (const [index, { name }] of rows.entries()) {
    const found = samples[index]
    if (found !== undefined) report.add(`${prefix}: ${name}`, found)
  }
}

/** The sides start first in turn, so that neither is always closer to its start. */
async function withServers(
  server: ServerCase,
  options: AgainstOptions,
  round: number,
  run: (old: Contender, own: Contender) => Promise<void>
): Promise<void> {
  const sides: Side[] = []
  const isNewFirst = round % 2 === 1
  const checkouts = [options.old, OWN_CHECKOUT]
  try {
    for (const checkout of isNewFirst ? checkouts.reverse() : checkouts) {
      sides.push(await open(server, checkout))
    }
    const [old, own] = isNewFirst ? sides.toReversed() : sides
    if (old !== undefined && own !== undefined) await run(old.contender, own.contender)
  } finally {
    for (const side of sides) await side.close()
  }
}

async function open(server: ServerCase, checkout: string): Promise<Side> {
  const folder = mkdtempSync(join(tmpdir(), 'nonet-bench-'))
  const storage: StorageLocation | undefined = await server.engine?.open()
  const storageFlags = storage?.flags ?? []
  const contender = await server.start({ checkout, folder, storageFlags })
  const close = async () => {
    await contender.stop()
    await storage?.remove()
    rmSync(folder, { recursive: true })
  }
  await server.prepare?.(contender.url)
  return { contender, close }
}

/**
 * Both sides have the same load at the same time, from their first request on: the speed of a shared
 * machine changes from second to second by up to a half, and a process gets faster with each of its
 * first 30,000 requests.
 */
async function compareLoads(
  row: Row,
  old: Contender,
  own: Contender,
  round: number
): Promise<{ old: number; new: number }> {
  const loads = { old: await resolveLoad(row, old.url), new: await resolveLoad(row, own.url) }
  let bursts = 0
  async function both(length: Pick<Load, 'seconds'> | Pick<Load, 'amount'>) {
    const firstNumber = bursts++ * NUMBERS_PER_BURST
    const run = (side: 'old' | 'new') =>
      burst(row, side === 'old' ? old : own, { ...loads[side], ...length, firstNumber })
    if ((round + bursts) % 2 === 0) {
      const [oldRound, newRound] = await Promise.all([run('old'), run('new')])
      return { old: oldRound, new: newRound }
    }
    const [newRound, oldRound] = await Promise.all([run('new'), run('old')])
    return { old: oldRound, new: newRound }
  }
  const least = Math.max(MIN_REQUESTS, loads.new.connections)
  // Both sides get the same number of requests, so that boxes grow alike and no request is cut off.
  const send = (amount: number) => both({ amount: Math.max(least, Math.round(amount)) })
  const begin = performance.now()
  let { speed, cpu, requests } = summaryOf(await both({ seconds: 1 }))
  while (requests < WARM_REQUESTS && performance.now() - begin < MAX_WARM_SECONDS * 1000) {
    const burst = summaryOf(await send(speed))
    requests += burst.requests
    speed = burst.speed
    cpu = burst.cpu
  }
  const measured = await send(Math.min((ROUND_CPU_SECONDS * 1e6) / cpu, speed * MAX_ROUND_SECONDS))
  return { old: measured.old.cpuMicroseconds, new: measured.new.cpuMicroseconds }
}

/** Of two bursts at the same time: requests of each in a second, and CPU and number of the larger. */
function summaryOf({ old, new: own }: { old: Round; new: Round }) {
  return {
    speed: Math.min(old.requestsPerSecond, own.requestsPerSecond),
    cpu: Math.max(old.cpuMicroseconds, own.cpuMicroseconds),
    requests: Math.min(old.requests, own.requests)
  }
}

async function burst({ surround }: Row, contender: Contender, load: Load) {
  const release = await surround?.(contender.url)
  const round = await measure(contender, load)
  release?.()
  return round
}

/** Only one side runs at a time; the side that runs first changes each time. */
async function alternate(
  times: number,
  run: (side: 'old' | 'new', index: number) => Promise<void>
): Promise<void> {
  for (let index = 0; index < times; index++) {
    const first = index % 2 === 0 ? 'old' : 'new'
    await run(first, index)
    await run(first === 'old' ? 'new' : 'old', index)
  }
}

function isWanted(row: string, { rows }: AgainstOptions): boolean {
  return rows.length === 0 || rows.some((text) => row.includes(text))
}

/** Prints a table to standard output row by row, and writes it to the file `out` if that is set. */
class Report {
  readonly notes: string[] = []
  count = 0
  readonly #options: AgainstOptions
  readonly #slower: string[] = []
  #text = ''

  constructor(options: AgainstOptions) {
    this.#options = options
  }

  begin(): void {
    const { old, rounds } = this.#options
    this.#print(`Server CPU, old ${describeCheckout(old)}, new ${describeCheckout(OWN_CHECKOUT)}, ${rounds} rounds, Node ${process.versions.node}.
Old ÷ new is the median of the ratios of the rounds; above 1 the new one needs less.

| row | old µs | new µs | old ÷ new | quartiles | min–max | |
| --- | --- | --- | --- | --- | --- | --- |
`)
  }

  add(row: string, samples: Samples): void {
    const ratios = samples.old.map((value, round) => value / (samples.new[round] ?? Number.NaN))
    const ratio = median(ratios)
    // A comparison with NaN is false, so a row without a figure counts as slower.
    const isFine = ratio >= LOWEST_RATIO
    const cells = [
      row,
      median(samples.old).toFixed(1),
      median(samples.new).toFixed(1),
      ratio.toFixed(3),
      `${quantile(ratios, 0.25).toFixed(2)}–${quantile(ratios, 0.75).toFixed(2)}`,
      `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
      isFine ? '' : `BELOW ${LOWEST_RATIO}`
    ]
    this.count++
    if (!isFine) this.#slower.push(row)
    this.#print(`| ${cells.join(' | ')} |\n`)
  }

  /** True if no row got slower. */
  end(): boolean {
    const slower = this.#slower.map((row) => `- ${row}\n`).join('')
    const notes = this.notes.map((note) => `${note}\n`).join('')
    this.#print(
      `\n${notes}${this.count} rows, ${this.#slower.length} below ${LOWEST_RATIO}.\n${slower}`
    )
    if (slower !== '') this.#print('Measure these again with --rounds 21 --row "<row>".\n')
    return this.#slower.length === 0
  }

  #print(text: string): void {
    process.stdout.write(text)
    this.#text += text
    if (this.#options.out !== undefined) writeFileSync(this.#options.out, this.#text)
  }
}

function describeCheckout(checkout: string): string {
  try {
    const args = ['-C', checkout, 'describe', '--always', '--dirty']
    return execFileSync('git', args, { encoding: 'utf8' }).trim()
  } catch {
    return checkout
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const lower = sorted[Math.floor(at)] ?? Number.NaN
  const upper = sorted[Math.ceil(at)] ?? Number.NaN
  return lower + (upper - lower) * (at - Math.floor(at))
}
