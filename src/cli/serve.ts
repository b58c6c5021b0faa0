import { constants } from 'node:os'
import type { Host } from '../host/host.ts'
import type { ProcessOutput } from '../host/output.ts'
import type { Reporter } from '../host/reporter.ts'

/** Signals within this time count as one: npm, launcher and terminal may each send Ctrl+C. */
const SAME_REQUEST_MS = 500

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Serves until a signal arrives; a second signal exits without waiting for running requests. */
export async function serve(
  host: Host,
  stopSignal: Promise<unknown>,
  output: ProcessOutput
): Promise<number> {
  await stopSignal
  const asked = performance.now()
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (performance.now() - asked > SAME_REQUEST_MS) process.exit(exitCodeOf(signal))
    })
  }
  await host.stop()
  return finish(host.exitCode(), output)
}

/** Ends the process if its output is not read; otherwise returns the exit code. */
export async function finish(exitCode: number, { flush }: ProcessOutput): Promise<number> {
  return (await flush()) ? exitCode : process.exit(exitCode)
}

/**
 * Reports what happens while serving; Node's own warnings take the same way. With `isQuiet`,
 * notices are not printed.
 */
export function createReporter(
  { stderr, linesDropped }: ProcessOutput,
  prefix: string,
  isQuiet = false
): Omit<Reporter, 'requestLog'> {
  const warn = (text: string) => stderr.write(`${prefix}${text}\n`)
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => warn(`${name}: ${message}`))
  return {
    warn,
    inform: isQuiet ? () => undefined : warn,
    onUnexpectedError: (service, error) => warn(`${service}: ${error.stack}`),
    linesDropped
  }
}

export function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve(signal))
  })
}

export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}
