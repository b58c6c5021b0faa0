import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Requests that are sent as soon as the services are ready are handled before. */
const DELAY_MS = 1000

/**
 * Frees what the start needed only once, which V8 by itself would keep until it needs more memory:
 * six services take 100 instead of 136 MB, 16 seconds after the start. Takes 40 ms.
 */
export function collectAfterStart(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
    setFlagsFromString('--no-expose-gc')
  }, DELAY_MS).unref()
}
