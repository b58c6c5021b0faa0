import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

const HERE = import.meta.dirname
const NEWLINE = 10

export interface Usage {
  cpuMicroseconds: number
  residentBytes: number
}

/** A server under test in a process of its own. */
export interface Contender {
  name: string
  url: string
  usage: () => Promise<Usage>
  /** Printed on standard output so far. */
  lines: () => number
  stop: () => Promise<void>
}

export interface ContenderOptions {
  name: string
  script: string
  args: readonly string[]
  url: string
  /** Text on standard output that says it listens, if it says so. */
  readyText?: string
}

export async function startContender(options: ContenderOptions): Promise<Contender> {
  const { name, script, args, url, readyText } = options
  const child = fork(join(HERE, script), args, {
    execArgv: ['--import', join(HERE, 'servers/probe.mjs')],
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc']
  })
  let lines = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    for (const byte of chunk) if (byte === NEWLINE) lines++
  })
  if (readyText !== undefined) await untilPrinted(child, readyText)
  return {
    name,
    url,
    lines: () => lines,
    async usage() {
      const answer = once(child, 'message')
      child.send('usage')
      const [usage] = await answer
      return usage
    },
    async stop() {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    }
  }
}

async function untilPrinted(child: ChildProcess, wanted: string): Promise<void> {
  let text = ''
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`ended before it was ready: ${text}`)))
    child.stdout?.on('data', function look(this: Readable, chunk: Buffer) {
      text += chunk
      if (!text.includes(wanted)) return
      this.off('data', look)
      resolve()
    })
  })
}

export function startNonet(service: string, port: number, args: readonly string[]) {
  return startContender({
    name: 'nonet',
    script: '../bin/nonet.mjs',
    args: ['up', service, '--ephemeral', '--quiet', `--port=${service}=${port}`, ...args],
    url: `http://127.0.0.1:${port}`,
    readyText: 'Stop with'
  })
}
