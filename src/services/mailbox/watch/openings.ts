/** Connections that are opened at the same time, for one host and in all. */
const MAX_OF_HOST = 20
const MAX_OF_ALL = 400

/**
 * Lets connections be opened a few at a time for each host, so that requests need not wait behind a
 * thousand sign-ins, and hosts that do not respond do not keep others waiting.
 */
export interface Openings {
  /** Runs the function as soon as it may open a connection to the host. */
  run: <T>(host: string, signal: AbortSignal, open: () => Promise<T>) => Promise<T>
}

export function createOpenings(maxOfHost = MAX_OF_HOST, maxOfAll = MAX_OF_ALL): Openings {
  const running = new Map<string, number>()
  const waiting = new Map<string, Set<() => void>>()
  let count = 0

  function mayStart(host: string): boolean {
    return count < maxOfAll && (running.get(host) ?? 0) < maxOfHost
  }

  function startNext(host: string): void {
    const hosts = [host, ...waiting.keys()]
    for (const one of hosts) {
      const [next] = waiting.get(one) ?? []
      if (next === undefined || !mayStart(one)) continue
      next()
      return
    }
  }

  function start(host: string): void {
    count++
    running.set(host, (running.get(host) ?? 0) + 1)
  }

  function end(host: string): void {
    count--
    const left = (running.get(host) ?? 1) - 1
    if (left === 0) running.delete(host)
    else running.set(host, left)
    startNext(host)
  }

  function untilAllowed(host: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const queue = waiting.get(host) ?? new Set()
    waiting.set(host, queue)
    const leave = () => {
      queue.delete(begin)
      if (queue.size === 0) waiting.delete(host)
      signal.removeEventListener('abort', abort)
    }
    const begin = () => {
      leave()
      start(host)
      resolve()
    }
    const abort = () => {
      leave()
      reject(signal.reason)
    }
    queue.add(begin)
    signal.addEventListener('abort', abort, { once: true })
    return promise
  }

  return {
    async run(host, signal, open) {
      signal.throwIfAborted()
      if (mayStart(host)) start(host)
      else await untilAllowed(host, signal)
      try {
        return await open()
      } finally {
        end(host)
      }
    }
  }
}
