import type { ScenarioContext } from './context.ts'

const EVERY_MS = 15 * 60_000

/** Removes expired data every 15 minutes; the returned function stops it. */
export function startCleanup(context: ScenarioContext): () => void {
  async function tidy(): Promise<void> {
    const time = context.kernel.now().getTime()
    await context.store.removeExpired(time)
    await context.store.purgeKeys(time)
    await context.store.purgeSessions(time)
  }
  const timer = setInterval(() => {
    tidy().catch(({ message }: Error) =>
      context.kernel.warn(`removing expired data failed: ${message}`)
    )
  }, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
