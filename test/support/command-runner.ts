import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { join } from 'node:path'

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

/** What a process of `command-process.ts` runs. */
export interface Command {
  args: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
}

/** What it reports afterwards. */
export interface CommandEnd {
  code: number
  /** Whether the next command finds the process as this one did. */
  isReusable: boolean
}

/** A command that runs. */
export interface RunningCommand {
  child: ChildProcess
  stdout: () => string
  stderr: () => string
  /** When it has closed all it opened. */
  ended: Promise<Finished>
}

interface Runner {
  child: ChildProcess
  start: (command: Command) => RunningCommand & { isReusable: Promise<boolean> }
}

const SCRIPT = join(import.meta.dirname, 'command-process.ts')
const FLAGS = [
  '--disable-warning=ExperimentalWarning',
  `--import=${new URL('../../bin/source-modules.mjs', import.meta.url)}`
]
/** Written to both outputs after each command. */
export const MARK = '\u0000end of the command\u0000\n'
const idle: Runner[] = []

/** Runs a command of nonet until it has closed all it opened, as `startCommand` does. */
export function runCommand(command: Command): Promise<Finished> {
  return startCommand(command).ended
}

/**
 * Starts a command of nonet in a process that keeps the loaded modules for the next command:
 * loading them takes 0.35 s of CPU. Commands that run at the same time have different processes.
 */
export function startCommand(command: Command): RunningCommand {
  const runner = idle.pop() ?? startRunner()
  const { isReusable, ...running } = runner.start(command)
  const ended = Promise.all([running.ended, isReusable]).then(async ([finished, isKept]) => {
    if (isKept) idle.push(runner)
    else await endRunner(runner)
    return finished
  })
  return { ...running, ended }
}

process.once('beforeExit', () => Promise.all(idle.splice(0).map(endRunner)))

async function endRunner({ child }: Runner): Promise<void> {
  if (!child.connected) return
  const gone = once(child, 'exit')
  child.ref()
  child.disconnect()
  await gone
}

function startRunner(): Runner {
  const child = spawn(process.execPath, [...FLAGS, SCRIPT], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  const stdout = collect(child.stdout as Socket)
  const stderr = collect(child.stderr as Socket)
  const closed = once(child, 'close').then(([code]) => ({ code, isReusable: false }))
  // An idle process does not keep the test file alive.
  const handles = [child, child.channel, child.stdout as Socket, child.stderr as Socket]
  return { child, start }

  function start(command: Command) {
    for (const handle of handles) handle?.ref()
    const texts = [stdout.begin(), stderr.begin()] as const
    const reported: Promise<CommandEnd[]> = once(child, 'message')
    const done = Promise.all([reported, stdout.marked(), stderr.marked()])
    child.send(command)
    const end = Promise.race([done.then(([[first]]) => first), closed])
    const ended = end.then((finished): Finished => {
      for (const handle of handles) handle?.unref()
      const [own, errors] = texts
      return { code: finished?.code ?? null, stdout: own(), stderr: errors() }
    })
    const isReusable = end.then((finished) => finished?.isReusable === true)
    return { child, stdout: texts[0], stderr: texts[1], ended, isReusable }
  }
}

/** The text of one output, command by command. */
function collect(stream: Socket): { begin: () => () => string; marked: () => Promise<void> } {
  let current = { text: '' }
  stream.setEncoding('utf8').on('data', (chunk) => {
    current.text += chunk
  })
  return {
    begin() {
      const own = { text: '' }
      current = own
      return () => (own.text.endsWith(MARK) ? own.text.slice(0, -MARK.length) : own.text)
    },
    async marked() {
      while (!current.text.endsWith(MARK)) await once(stream, 'data')
    }
  }
}
