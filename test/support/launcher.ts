import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Finished, type RunningCommand, runCommand, startCommand } from './command-runner.ts'

export type { Finished }

export const ROOT = join(import.meta.dirname, '../..')
export const LAUNCHER = join(ROOT, 'bin/nonet.mjs')

export interface Ready {
  ready: true
  pid: number
  data: string
  console: string | null
  token?: string
  services: Record<string, string>
  /** Ports that are not for HTTP. */
  ports?: Record<string, number>
}

export interface Launched extends AsyncDisposable {
  child: ChildProcess
  ready: Ready
  /** Standard output after the ready line. */
  log: () => string
  stderr: () => string
  /** Sends the signal and resolves when the process has exited. */
  end: (signal?: NodeJS.Signals) => Promise<Finished>
}

export interface LaunchOptions {
  cwd?: string
  env?: Record<string, string>
  launcher?: readonly [string, ...string[]]
}

const OWN_NODE: readonly [string, ...string[]] = [process.execPath, LAUNCHER]

function spawnNonet(args: readonly string[], options: LaunchOptions): ChildProcess {
  const [command, ...first] = options.launcher ?? OWN_NODE
  return spawn(command, [...first, ...args], {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
}

function collect(child: ChildProcess): { stdout: () => string; stderr: () => string } {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk
  })
  return { stdout: () => stdout, stderr: () => stderr }
}

/** Runs a command of nonet until it exits. */
export async function runNonet(
  args: readonly string[],
  options: LaunchOptions = {}
): Promise<Finished> {
  if (options.launcher === undefined && !changesNode(options)) {
    const { cwd = ROOT, env } = options
    return runCommand({ args, cwd, env: { ...process.env, ...env } })
  }
  return runAlone(args, options)
}

/** Runs a command of nonet in a process of its own, by way of the launcher. */
export async function runAlone(
  args: readonly string[],
  options: LaunchOptions = {}
): Promise<Finished> {
  const child = spawnNonet(args, options)
  const output = collect(child)
  const [code] = await once(child, 'close')
  return { code, stdout: output.stdout(), stderr: output.stderr() }
}

/** Variables that Node reads when it starts. */
function changesNode({ env = {} }: LaunchOptions): boolean {
  return Object.keys(env).some((name) => name.startsWith('NODE_'))
}

export interface Running extends AsyncDisposable {
  child: ChildProcess
  /** The first line of standard output. */
  line: string
  stdout: () => string
  stderr: () => string
  /** Sends the signal and resolves when the process has exited. */
  end: (signal?: NodeJS.Signals) => Promise<Finished>
}

/** Starts a command that keeps running, and waits for its first line. */
export function launch(args: readonly string[], options: LaunchOptions = {}): Promise<Running> {
  const child = spawnNonet(args, options)
  const output = collect(child)
  const ended = once(child, 'close').then(([code]) => ({
    code,
    stdout: output.stdout(),
    stderr: output.stderr()
  }))
  return firstLineOf({ child, ...output, ended })
}

/**
 * The same in a process that commands of this file have used before, which saves half a second of
 * CPU: for tests that do not depend on the state of the process. It ends with the last test.
 */
export function launchLoaded(
  args: readonly string[],
  options: LaunchOptions = {}
): Promise<Running> {
  if (options.launcher !== undefined || changesNode(options)) return launch(args, options)
  const { cwd = ROOT, env } = options
  return firstLineOf(startCommand({ args, cwd, env: { ...process.env, ...env } }))
}

async function firstLineOf({ child, stdout, stderr, ended }: RunningCommand): Promise<Running> {
  let isOver = false
  const line = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const end = stdout().indexOf('\n')
      if (end === -1) return
      child.stdout?.off('data', look)
      resolve(stdout().slice(0, end))
    }
    child.stdout?.on('data', look)
    ended.then(() => {
      isOver = true
      reject(new Error(`nonet ended: ${stdout()}${stderr()}`))
    })
  })
  async function end(signal: NodeJS.Signals = 'SIGTERM'): Promise<Finished> {
    if (!isOver) child.kill(signal)
    return ended
  }
  return {
    ...{ child, line, stdout, stderr, end },
    async [Symbol.asyncDispose]() {
      if (!isOver) await end()
    }
  }
}

/** Starts `nonet up --json …` and waits for its ready line. */
export async function launchNonet(
  args: readonly string[],
  options: LaunchOptions = {}
): Promise<Launched> {
  return launchedFrom(await launch(upArguments(args), options))
}

/** The same in a process that commands of this file have used before, as `launchLoaded`. */
export async function launchLoadedNonet(
  args: readonly string[],
  options: LaunchOptions = {}
): Promise<Launched> {
  return launchedFrom(await launchLoaded(upArguments(args), options))
}

function upArguments(args: readonly string[]): string[] {
  return ['up', '--json', '--port-base=0', ...args]
}

function launchedFrom(running: Running): Launched {
  return {
    ...running,
    ready: JSON.parse(running.line),
    log: () => running.stdout().slice(running.line.length + 1)
  }
}

export function temporaryFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'nonet-test-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
