/** Called with a topic; undefined if notifications may have been lost. */
export type Subscriber = (topic: string | undefined) => void

/**
 * Notifications between processes that share a database. Topics contain no spaces. Delivery is best
 * effort: subscribers must also poll.
 */
export interface NotificationChannel {
  /** Publishes a topic; to be called after the commit. */
  publish: (topic: string) => void
  /** Subscribes to topics of this and other processes; the returned function unsubscribes. */
  subscribe: (listener: Subscriber) => () => void
}

/** A channel within one process, for tables that no other process uses. */
export function createLocalChannel(): NotificationChannel {
  const listeners = new Set<Subscriber>()
  return {
    publish(topic) {
      for (const subscribe of listeners) subscribe(topic)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}
