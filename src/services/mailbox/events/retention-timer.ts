import type { Kernel } from '../../../kernel/service.ts'

const FIRST_MS = 60_000
const REPEAT_MS = 10 * 60_000

/** Removes old events from time to time; `stop` waits for the transaction that has begun. */
export function repeatRetention({
  database,
  now,
  warn
}: Pick<Kernel, 'database' | 'now' | 'warn'>): {
  stop: () => Promise<void>
} {
  let isStopped = false
  let running: Promise<void> = Promise.resolve()
  let timer = setTimeout(start, FIRST_MS).unref()

  function start(): void {
    running = run().catch((error) => warn(`Old events cannot be removed: ${error.message}`))
    timer = setTimeout(start, REPEAT_MS).unref()
  }
  async function run(): Promise<void> {
    const { removeOldEvents } = await import('./retention.ts')
    await removeOldEvents(database, { time: now().getTime(), isStopped: () => isStopped })
  }
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    }
  }
}
