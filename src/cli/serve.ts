import { constants } from 'node:os'
import type { Host } from '../host/host.ts'

/** Signals within this time count as one: npm, launcher and terminal may each send Ctrl+C. */
const SAME_REQUEST_MS = 500

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Serves until a signal arrives; a second signal exits without waiting for running requests. */
export async function serve(host: Host, stopSignal: Promise<unknown>): Promise<number> {
  await stopSignal
  const asked = performance.now()
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (performance.now() - asked > SAME_REQUEST_MS) process.exit(exitCodeOf(signal))
    })
  }
  await host.stop()
  return host.exitCode()
}

export function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve(signal))
  })
}

export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}
