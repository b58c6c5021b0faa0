import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Cases, StartCase } from './cases.ts'
import { type Contender, launcherOf, OWN_CHECKOUT, startContender } from './contender.ts'
import { median } from './load.ts'
import { markdownTable, type Outcome } from './table.ts'

const ROUNDS = 7
/** V8 frees what only the start needed within this time. */
const SETTLED_MS = 16_000
const ARGS = startArgs([])
/** Every checkout has them. */
const FIRST_SERVICES = ['reference', 'boxes', 'countries', 'scenarios', 'forms', 'mock']

export const startCases: Cases = {
  servers: [],
  starts: [
    startCase('all services and the console', []),
    startCase('the first six services and the console', FIRST_SERVICES)
  ],
  note: 'an older checkout may have fewer services; the second row starts the same six in both.'
}

/** All services if the array is empty. */
export function startCase(name: string, services: readonly string[]): StartCase {
  return {
    name,
    figures: ['until ready'],
    measure: async ({ checkout }) => [await startCpu(checkout, services)]
  }
}

/** Microseconds until ready. */
export async function startCpu(checkout: string, services: readonly string[]): Promise<number> {
  const contender = await startProbed(checkout, startArgs(services))
  const { cpuMicroseconds } = await contender.usage()
  await contender.stop()
  return cpuMicroseconds
}

/** Arguments for these services; all services if the array is empty. */
export function startArgs(services: readonly string[], ...flags: string[]): string[] {
  return ['up', ...services, '--json', '--ephemeral', ...flags, '--port-base=0']
}

/** Starts nonet in a process that reports its CPU. */
export function startProbed(checkout: string, args: readonly string[]): Promise<Contender> {
  return startContender({
    name: 'nonet',
    script: launcherOf(checkout),
    args: () => args,
    readyText: '\n'
  })
}

/** Measures `nonet up` with every service, from the start of the process to the ready line. */
export async function benchStart(): Promise<Outcome> {
  await startOnce()
  const starts: { seconds: number; megabytes: number; settled: number }[] = []
  for (let round = 0; round < ROUNDS; round++) starts.push(await startOnce())
  const seconds = median(starts.map((start) => start.seconds))
  const megabytes = median(starts.map((start) => start.megabytes))
  const settled = median(starts.map((start) => start.settled))
  return {
    title: 'start',
    text: `All services and the console, median of ${ROUNDS} starts after the first.

${markdownTable(['ready after', 'resident when ready', '16 s later'], [[`${seconds.toFixed(2)} s`, `${megabytes.toFixed(0)} MB`, `${settled.toFixed(0)} MB`]])}`,
    bars: [
      { what: 'seconds until ready', value: seconds, atMost: 1 },
      { what: 'MB resident when ready', value: megabytes, atMost: 125 }
    ]
  }
}

async function startOnce() {
  const { seconds, residentMegabytes, stop } = await startPlain(ARGS)
  const megabytes = residentMegabytes()
  await wait(SETTLED_MS)
  const settled = residentMegabytes()
  await stop()
  return { seconds, megabytes, settled }
}

/** Starts nonet without the probe, so that the memory is that of nonet alone. */
export async function startPlain(args: readonly string[]) {
  const began = performance.now()
  const child = spawn(process.execPath, [launcherOf(OWN_CHECKOUT), ...args])
  const [line] = await once(child.stdout, 'data')
  const seconds = (performance.now() - began) / 1000
  const { pid, services } = parseReadyLine(String(line))
  return {
    seconds,
    services,
    residentMegabytes: () => residentMegabytes(pid),
    async stop() {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    }
  }
}

export interface ReadyLine {
  pid: number
  services: Record<string, string>
  /** Null without the console. */
  console: string | null
  token?: string
}

export function parseReadyLine(line: string): ReadyLine {
  return JSON.parse(line)
}

function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1000
}
