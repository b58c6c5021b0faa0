/** Called with a topic; undefined if notifications may have been lost. */
export type Subscriber = (word: string | undefined) => void

/**
 * Notifications between processes that share a database. Topics contain no spaces. Delivery is best
 * effort: subscribers must also poll.
 */
export interface NotificationChannel {
  /** Publishes a topic; to be called after the commit. */
  say: (word: string) => void
  /** Subscribes to topics of this and other processes; the returned function unsubscribes. */
  hear: (listener: Subscriber) => () => void
}

/** A channel within one process, for tables that no other process uses. */
export function createLocalSignals(): NotificationChannel {
  const listeners = new Set<Subscriber>()
  return {
    say(word) {
      for (const hear of listeners) hear(word)
    },
    hear(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}
