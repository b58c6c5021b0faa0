/** Hears a word; undefined when some may have been missed. */
export type Subscriber = (word: string | undefined) => void

/**
 * Words between the processes that share the tables, without blanks in them. They may get lost:
 * whoever relies on them looks at the tables now and then all the same.
 */
export interface NotificationChannel {
  /** After the commit that it is about. */
  say: (word: string) => void
  /** Hears this process and the others; the result ends it. */
  hear: (listener: Subscriber) => () => void
}

/** For tables that one process has to itself. */
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
