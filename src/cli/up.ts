import { spawn } from 'node:child_process'
import { type Host, openHost } from '../host/host.ts'
import { openProcessOutput, type ProcessOutput } from '../host/output.ts'
import { createRequestLog } from '../host/request-log.ts'
import { type Command, type Invocation, UsageError } from './command.ts'
import { openBrowser } from './open-browser.ts'
import { createReporter, exitCodeOf, finish, nextSignal, SIGNALS, serve } from './serve.ts'
import { configurationOf, settingFlagHelp, settingFlags } from './setting-flags.ts'
import { collectAfterStart, limitYoungSpace } from './start-memory.ts'
import { consoleLink, environmentOf, readyLine, startLines } from './startup-output.ts'

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
  flags: { ...settingFlags, json: { type: 'boolean' }, open: { type: 'boolean' } },
  flagHelp: {
    json: 'print one JSON line with all URLs when ready',
    open: 'open the console in your browser when ready',
    ...settingFlagHelp
  },
  run
}

async function run(invocation: Invocation): Promise<number> {
  const configuration = configurationOf(invocation, invocation.positionals)
  const { json: isJson = false, open: isOpened = false } = invocation.flags
  if (isOpened && !configuration.console) {
    throw new UsageError('--open opens the console, which is turned off: remove --no-console')
  }
  // Before the ready line is printed, because its reader may send a signal at once.
  const stopSignal = nextSignal()
  let stopped = false
  stopSignal.then(() => {
    stopped = true
  })
  const output = openProcessOutput()
  const host = await openHost(configuration, {
    ...createReporter(output, 'nonet: ', configuration.quiet),
    requestLog: configuration.quiet ? undefined : createRequestLog(output.stdout),
    beforeMount: limitYoungSpace
  })
  if (isJson) output.stdout.write(`${readyLine(host)}\n`)
  else if (!configuration.quiet) output.stdout.write(`${startLines(host, configuration)}\n`)
  collectAfterStart()
  if (isOpened) openConsole(host, output)
  const [command, ...args] = invocation.rest ?? []
  const isAlone = command === undefined || stopped
  if (isAlone) return serve(host, stopSignal, output)
  return finish(await runWithCommand(host, [command, ...args], output), output)
}

/** Does not wait for the browser; without one, the user gets the URL. */
async function openConsole({ console: opened }: Host, { stderr }: ProcessOutput): Promise<void> {
  if (opened === undefined) return
  const link = consoleLink(opened)
  const problem = await openBrowser(link)
  if (problem !== undefined) {
    stderr.write(`nonet: Cannot open a browser because ${problem}: open ${link} yourself\n`)
  }
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
