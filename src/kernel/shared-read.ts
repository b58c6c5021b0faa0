/**
 * Requests at the same time share a read. It starts after each of them has arrived, so that it is
 * as fresh as a read of its own: those that arrive while it runs wait for the next one.
 */
export function createSharedRead<T>(): (key: string, read: () => Promise<T>) => Promise<T> {
  /** Reads that have not started. */
  const waiting = new Map<string, Promise<T>>()
  /** The last one that has started, of each key. */
  const running = new Map<string, Promise<unknown>>()

  async function start(key: string, read: () => Promise<T>): Promise<T> {
    const before = running.get(key)
    if (before !== undefined) await before
    await new Promise(setImmediate)
    waiting.delete(key)
    const result = read()
    const end = () => {
      if (running.get(key) === ended) running.delete(key)
    }
    const ended = result.then(end, end)
    running.set(key, ended)
    return result
  }

  return (key, read) => {
    const known = waiting.get(key)
    if (known !== undefined) return known
    const started = start(key, read)
    waiting.set(key, started)
    return started
  }
}
