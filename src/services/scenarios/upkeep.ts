import type { Room } from './room.ts'

const EVERY_MS = 15 * 60_000

/** Removes what has expired, now and then; the function ends it. */
export function startUpkeep(room: Room): () => void {
  async function tidy(): Promise<void> {
    const time = room.kernel.now().getTime()
    await room.workspaces.evict()
    await room.store.purgeKeys(time)
    await room.store.purgeSessions(time)
  }
  const timer = setInterval(() => {
    tidy().catch(({ message }: Error) =>
      room.kernel.warn(`removing expired data failed: ${message}`)
    )
  }, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
