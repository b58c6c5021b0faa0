import { createHash } from 'node:crypto'
import type { Database } from './database.ts'

/** How late a change of another process is noticed if its notification was lost. */
const POLL_MS = 2_000

/** Notifications of changes, by a key that the service chooses. */
export interface Notifications {
  /** Notifies all subscribers of the key; to be called after the commit. */
  notify: (key: string) => void
  /**
   * Calls back when there may be a change, also by another process; sometimes without a change.
   * The returned function unsubscribes.
   */
  subscribe: (key: string, listener: () => void) => () => void
  stop: () => void
}

export interface NotificationOptions {
  /** Keys are topics of the transaction step `notify`, which publishes them as they are. */
  areTopics?: boolean
}

/** Reads a version for each key that has one; a different version means a change. */
export type ReadVersions = (keys: readonly string[]) => Promise<ReadonlyMap<string, unknown>>

/**
 * Notifications within this process, and on PostgreSQL between all processes that share the tables.
 * These may be lost, so the versions of subscribed keys are also polled.
 */
export function createNotifications(
  { engine, channel }: Pick<Database, 'engine' | 'channel'>,
  readVersions: ReadVersions,
  { areTopics = false }: NotificationOptions = {}
): Notifications {
  const listeners = new Map<string, Set<() => void>>()
  /** Subscribed keys by topic. */
  const keys = new Map<string, string>()
  const versions = new Map<string, unknown>()
  const wordFor = engine === 'sqlite' || areTopics ? (key: string) => key : digestOf
  let timer: NodeJS.Timeout | undefined
  let unhear: (() => void) | undefined

  function call(key: string): void {
    for (const listener of listeners.get(key) ?? []) listener()
  }

  function hear(word: string | undefined): void {
    if (word === undefined) for (const key of listeners.keys()) call(key)
    else call(keys.get(word) ?? '')
  }

  async function compareVersions(): Promise<void> {
    const subscribed = [...listeners.keys()]
    const found = await readVersions(subscribed)
    for (const key of subscribed) {
      const version = found.get(key)
      if (!listeners.has(key) || versions.get(key) === version) continue
      versions.set(key, version)
      call(key)
    }
  }

  function poll(): void {
    timer = setTimeout(() => {
      // An error means that the database is unavailable; the next poll tries again.
      compareVersions().then(pollAgain, pollAgain)
    }, POLL_MS)
    timer.unref()
  }

  function pollAgain(): void {
    timer = undefined
    if (listeners.size > 0) poll()
  }

  return {
    notify: (key) => channel.publish(wordFor(key)),
    subscribe(key, listener) {
      unhear ??= channel.subscribe(hear)
      const own = listeners.get(key) ?? new Set()
      listeners.set(key, own.add(listener))
      keys.set(wordFor(key), key)
      if (engine === 'postgres' && timer === undefined) poll()
      return () => {
        own.delete(listener)
        if (own.size > 0 || listeners.get(key) !== own) return
        listeners.delete(key)
        keys.delete(wordFor(key))
        versions.delete(key)
      }
    },
    stop() {
      listeners.clear()
      unhear?.()
      clearTimeout(timer)
    }
  }
}

/** Topics between processes are hashes, because a key may be a secret or contain spaces. */
function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32)
}
