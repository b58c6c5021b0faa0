import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { median } from './load.ts'
import { markdownTable, type Outcome } from './table.ts'

const LAUNCHER = join(import.meta.dirname, '../bin/nonet.mjs')
const ROUNDS = 7

interface Start {
  seconds: number
  megabytes: number
}

/** `nonet up` with every service: from the start of the process to the ready line. */
export async function benchStart(): Promise<Outcome> {
  await startOnce()
  const starts: Start[] = []
  for (let round = 0; round < ROUNDS; round++) starts.push(await startOnce())
  const seconds = median(starts.map((start) => start.seconds))
  const megabytes = median(starts.map((start) => start.megabytes))
  return {
    title: 'start',
    text: `All services and the console, median of ${ROUNDS} starts after the first.

${markdownTable(['ready after', 'resident when ready'], [[`${seconds.toFixed(2)} s`, `${megabytes.toFixed(0)} MB`]])}`,
    bars: [
      { what: 'seconds until ready', value: seconds, atMost: 1 },
      { what: 'MB resident', value: megabytes, atMost: 110 }
    ]
  }
}

async function startOnce(): Promise<Start> {
  const began = performance.now()
  const child = spawn(process.execPath, [LAUNCHER, 'up', '--json', '--ephemeral', '--port-base=0'])
  const [line] = await once(child.stdout, 'data')
  const seconds = (performance.now() - began) / 1000
  const { pid } = JSON.parse(String(line))
  const megabytes = residentMegabytes(pid)
  const gone = once(child, 'exit')
  child.kill()
  await gone
  return { seconds, megabytes }
}

function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1000
}
