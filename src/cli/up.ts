import { spawn } from 'node:child_process'
import { type Host, openHost } from '../host/host.ts'
import { openProcessOutput, type ProcessOutput } from '../host/output.ts'
import { createRequestLog } from '../host/request-log.ts'
import type { Command, Invocation } from './command.ts'
import { createReporter, exitCodeOf, finish, nextSignal, SIGNALS, serve } from './serve.ts'
import { configurationOf, settingFlagHelp, settingFlags } from './setting-flags.ts'
import { environmentOf, readyLine, startLines } from './startup-output.ts'

export const up: Command = {
  name: 'up',
  summary: 'Start the named services, or all of them, and the console',
  usage: 'nonet up [service…] [options] [-- command…]',
  examples: [
    'nonet up',
    'nonet up reference --port reference=8000',
    'nonet up reference -- npx playwright test'
  ],
  arguments: Number.POSITIVE_INFINITY,
  flags: { ...settingFlags, json: { type: 'boolean' } },
  flagHelp: { json: 'print one JSON line with all URLs when ready', ...settingFlagHelp },
  run
}

async function run(invocation: Invocation): Promise<number> {
  const configuration = configurationOf(invocation, invocation.positionals)
  // Before the ready line is printed, because its reader may send a signal at once.
  const stopSignal = nextSignal()
  let stopped = false
  stopSignal.then(() => {
    stopped = true
  })
  const output = openProcessOutput()
  const host = await openHost(configuration, {
    ...createReporter(output, 'nonet: '),
    requestLog: configuration.quiet ? undefined : createRequestLog(output.stdout)
  })
  const text = invocation.flags.json === true ? readyLine(host) : startLines(host, configuration)
  output.stdout.write(`${text}\n`)
  const [command, ...args] = invocation.rest ?? []
  const isAlone = command === undefined || stopped
  if (isAlone) return serve(host, stopSignal, output)
  return finish(await runWithCommand(host, [command, ...args], output), output)
}

/** Whether the terminal has already sent the signal to all foreground processes. */
function reachesChild(signal: NodeJS.Signals): boolean {
  return process.stdin.isTTY && signal !== 'SIGTERM'
}

/**
 * Runs the command with the URLs in its environment. Returns its exit code, or that of the services
 * if it is 0.
 */
async function runWithCommand(
  host: Host,
  [command, ...args]: readonly [string, ...string[]],
  { stderr }: ProcessOutput
): Promise<number> {
  const child = spawn(command, args, {
    stdio: 'inherit',
    env: { ...process.env, ...environmentOf(host) },
    // On Windows npx and npm are .cmd files, which require a shell.
    shell: process.platform === 'win32'
  })
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (!reachesChild(signal)) child.kill(signal)
    })
  }
  const exitCode = await new Promise<number>((resolve) => {
    child.once('error', (error) => {
      stderr.write(`nonet: cannot run ${command}: ${error.message}\n`)
      resolve(127)
    })
    child.once('exit', (code, signal) => resolve(code ?? exitCodeOf(signal ?? 'SIGTERM')))
  })
  await host.stop()
  return exitCode === 0 ? host.exitCode() : exitCode
}
