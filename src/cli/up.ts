import { spawn } from 'node:child_process'
import type { Configuration } from '../host/configuration-reader.ts'
import { type Host, openHost } from '../host/host.ts'
import { createRequestLog } from '../host/request-log.ts'
import type { Command, Invocation } from './command.ts'
import { exitCodeOf, nextSignal, SIGNALS, serve } from './serve.ts'
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
  const host = await openHost(configuration, {
    requestLog: configuration.quiet ? undefined : createRequestLog(process.stdout),
    warn: (text) => process.stderr.write(`nonet: ${text}\n`),
    onUnexpectedError: (service, error) =>
      process.stderr.write(`nonet: ${service}: ${error.stack}\n`)
  })
  announce(host, configuration, invocation.flags.json === true)
  const [command, ...args] = invocation.rest ?? []
  const isAlone = command === undefined || stopped
  return isAlone ? serve(host, stopSignal) : runWithCommand(host, command, args)
}

function announce(host: Host, configuration: Configuration, json: boolean): void {
  const text = json ? readyLine(host) : startLines(host, configuration)
  process.stdout.write(`${text}\n`)
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
  command: string,
  args: readonly string[]
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
      process.stderr.write(`nonet: cannot run ${command}: ${error.message}\n`)
      resolve(127)
    })
    child.once('exit', (code, signal) => resolve(code ?? exitCodeOf(signal ?? 'SIGTERM')))
  })
  await host.stop()
  return exitCode === 0 ? host.exitCode() : exitCode
}
