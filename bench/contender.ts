import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'

const HERE = import.meta.dirname
const NEWLINE = 10

/** Folder of the checkout that contains these benchmarks. */
export const OWN_CHECKOUT = dirname(HERE)

export interface Usage {
  cpuMicroseconds: number
  residentBytes: number
}

/** A server under test in a process of its own. */
export interface Contender {
  name: string
  url: string
  /** Standard output until the server was ready; empty without `readyText`. */
  greeting: string
  usage: () => Promise<Usage>
  /** Number of lines printed on standard output so far. */
  lines: () => number
  stop: () => Promise<void>
}

export interface ContenderOptions {
  name: string
  /** Path relative to this folder, or absolute. */
  script: string
  args: (port: number) => readonly string[]
  /** String on standard output that says that the server listens, if it prints one. */
  readyText?: string
}

export async function startContender(options: ContenderOptions): Promise<Contender> {
  const { name, script, args, readyText } = options
  const port = await findFreePort()
  const child = fork(resolve(HERE, script), args(port), {
    execArgv: ['--import', join(HERE, 'servers/probe.mjs')],
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc']
  })
  let lines = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    for (const byte of chunk) if (byte === NEWLINE) lines++
  })
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    greeting: readyText === undefined ? '' : await untilPrinted(child, readyText),
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

/** Resolves with the output so far once the wanted string was printed. */
function untilPrinted(child: ChildProcess, wanted: string): Promise<string> {
  let text = ''
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`ended before it was ready: ${text}`)))
    child.stdout?.on('data', function look(this: Readable, chunk: Buffer) {
      text += chunk
      if (!text.includes(wanted)) return
      this.off('data', look)
      resolve(text)
    })
  })
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return address !== null && typeof address === 'object' ? address.port : 0
}

export async function untilAnswers(url: string): Promise<void> {
  for (;;) {
    const answered = await fetch(url).then(
      ({ ok }) => ok,
      () => false
    )
    if (answered) return
  }
}

/** Starts a raw node:http server to compare with: sends captured responses, or reads the body. */
export function startRaw(script: string, ...args: readonly string[]): Promise<Contender> {
  return startContender({
    name: 'raw node:http',
    script,
    args: (port) => [String(port), ...args],
    readyText: 'ready'
  })
}

export function launcherOf(checkout: string): string {
  return join(checkout, 'bin', 'nonet.mjs')
}

/** Starts one service without the console. */
export function startService(
  checkout: string,
  service: string,
  flags: readonly string[],
  name = 'nonet'
): Promise<Contender> {
  return startContender({
    name,
    script: launcherOf(checkout),
    args: (port) => [
      ...['up', service, '--no-console', '--quiet', '--json', `--port=${service}=${port}`],
      ...flags
    ],
    readyText: '"ready":true'
  })
}
