/** Counts calls per key in windows of time; a window begins with its first call. */
export interface FixedWindowCounter {
  /** Counts one call for this key; `endsAt` is in Unix milliseconds. */
  count: (key: string, widthMs: number) => { count: number; endsAt: number }
  clear: () => void
}

interface Window {
  count: number
  endsAt: number
}

/** Beyond `maxKeys` the key with the oldest window is removed. */
export function createFixedWindowCounter(now: () => Date, maxKeys: number): FixedWindowCounter {
  const windows = new Map<string, Window>()

  function open(key: string, endsAt: number): Window {
    windows.delete(key)
    const [oldest] = windows.keys()
    if (windows.size >= maxKeys && oldest !== undefined) windows.delete(oldest)
    const window = { count: 0, endsAt }
    windows.set(key, window)
    return window
  }

  return {
    count(key, widthMs) {
      const time = now().getTime()
      const known = windows.get(key)
      const window = known === undefined || known.endsAt <= time ? open(key, time + widthMs) : known
      window.count++
      return window
    },
    clear: () => windows.clear()
  }
}
