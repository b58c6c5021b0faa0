import type { ImapFlow } from 'imapflow'

/** A message that is removed so shortly before a copy of it arrives was moved. */
const KEPT_MS = 10_000
const MAX_KEPT = 500

/** Messages that were moved by other clients, as far as the watcher has seen one side of it. */
export interface RecentMoves {
  removed: (id: string) => void
  wasRemoved: (id: string) => boolean
  /** The message was moved; its removal is not reported yet. */
  moved: (from: string, to: string) => void
  targetOf: (id: string) => string | undefined
}

const known = new WeakMap<ImapFlow, RecentMoves>()

export function recentMovesOf(client: ImapFlow): RecentMoves {
  const moves = known.get(client) ?? createRecentMoves(performance)
  known.set(client, moves)
  return moves
}

export function createRecentMoves(clock: { readonly now: () => number }): RecentMoves {
  const removed = new Map<string, number>()
  const targets = new Map<string, { readonly to: string; readonly time: number }>()

  function prune<T>(map: Map<string, T>, timeOf: (value: T) => number): void {
    for (const [id, value] of map) {
      if (map.size <= MAX_KEPT && clock.now() - timeOf(value) < KEPT_MS) return
      map.delete(id)
    }
  }

  return {
    removed(id) {
      removed.set(id, clock.now())
      prune(removed, (time) => time)
    },
    wasRemoved(id) {
      prune(removed, (time) => time)
      return removed.has(id)
    },
    moved(from, to) {
      targets.set(from, { to, time: clock.now() })
      prune(targets, ({ time }) => time)
    },
    targetOf(id) {
      prune(targets, ({ time }) => time)
      return targets.get(id)?.to
    }
  }
}
