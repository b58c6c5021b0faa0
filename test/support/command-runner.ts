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

interface Runner {
  child: ChildProcess
  run: (command: Command) => Promise<Finished & { isReusable: boolean }>
}

const SCRIPT = join(import.meta.dirname, 'command-process.ts')
/** Written to both outputs after each command. */
export const MARK = '\u0000end of the command\u0000\n'
const idle: Runner[] = []

/**
 * Runs a command of nonet until it has closed all it opened, in a process that keeps the loaded
 * modules for the next command: loading them takes 0.35 s of CPU. Commands that run at the same
 * time have different processes.
 */
export async function runCommand(command: Command): Promise<Finished> {
  const runner = idle.pop() ?? startRunner()
  const { isReusable, ...finished } = await runner.run(command)
  if (isReusable) idle.push(runner)
  else await endRunner(runner)
  return finished
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
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', SCRIPT], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  const outputs = [child.stdout, child.stderr].map((stream) => collect(stream as Socket))
  const closed = once(child, 'close').then(([code]) => ({ code, isReusable: false }))
  // An idle process does not keep the test file alive.
  const handles = [child, child.channel, child.stdout as Socket, child.stderr as Socket]
  return { child, run }

  async function run(command: Command) {
    for (const handle of handles) handle?.ref()
    const reported: Promise<CommandEnd[]> = once(child, 'message')
    const done = Promise.all([reported, ...outputs.map(({ marked }) => marked())])
    child.send(command)
    const end = await Promise.race([done.then(([[first]]) => first), closed])
    for (const handle of handles) handle?.unref()
    const [stdout = '', stderr = ''] = outputs.map(({ take }) => take())
    return { code: null, isReusable: false, ...end, stdout, stderr }
  }
}

/** The text of one output since the last mark. */
function collect(stream: Socket): { marked: () => Promise<void>; take: () => string } {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  return {
    async marked() {
      while (!text.endsWith(MARK)) await once(stream, 'data')
    },
    take() {
      const taken = text.endsWith(MARK) ? text.slice(0, -MARK.length) : text
      text = ''
      return taken
    }
  }
}
