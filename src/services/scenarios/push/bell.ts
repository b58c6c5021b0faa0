/** Tells who listens to a workspace that something happened there. */
export interface Bell {
  ring: (ws: string) => void
  /** The function it gives back ends it. */
  hear: (ws: string, heard: () => void) => () => void
}

/** How late an event of another process may be noticed. */
const LOOK_EVERY_MS = 200

/**
 * Rings within this process. With `look`, the number of a workspace's last event, events that
 * another process wrote are noticed too: one look for all listeners of a workspace.
 */
export function createBell(look: ((ws: string) => Promise<number>) | undefined): Bell {
  const rooms = new Map<string, { heard: Set<() => void>; stop: () => void }>()

  function ring(ws: string): void {
    for (const heard of rooms.get(ws)?.heard ?? []) heard()
  }

  return {
    ring,
    hear(ws, heard) {
      const room = rooms.get(ws) ?? { heard: new Set(), stop: watch(ws, look, ring) }
      rooms.set(ws, room)
      room.heard.add(heard)
      return () => {
        room.heard.delete(heard)
        if (room.heard.size > 0 || rooms.get(ws) !== room) return
        room.stop()
        rooms.delete(ws)
      }
    }
  }
}

function watch(
  ws: string,
  look: ((ws: string) => Promise<number>) | undefined,
  ring: (ws: string) => void
): () => void {
  if (look === undefined) return () => undefined
  let last: number | undefined
  let isLooking = false
  const timer = setInterval(async () => {
    if (isLooking) return
    isLooking = true
    // While the database is away nothing is seen; the next look comes soon.
    const seen = await look(ws).catch(() => last)
    isLooking = false
    // The first look rings too: something may have happened since the listener's own.
    if (seen !== last) ring(ws)
    last = seen
  }, LOOK_EVERY_MS)
  return () => clearInterval(timer)
}
