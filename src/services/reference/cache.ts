/** Keeps what was used last, up to a total weight. */
export interface Cache<Value> {
  get: (key: string) => Value | undefined
  set: (key: string, value: Value) => void
  clear: () => void
}

export function createCache<Value>(
  limit: number,
  weigh: (value: Value, key: string) => number
): Cache<Value> {
  const kept = new Map<string, Value>()
  let total = 0

  function remove(key: string): void {
    const value = kept.get(key)
    if (value !== undefined && kept.delete(key)) total -= weigh(value, key)
  }

  return {
    get(key) {
      const value = kept.get(key)
      if (value === undefined) return undefined
      kept.delete(key)
      kept.set(key, value)
      return value
    },
    set(key, value) {
      remove(key)
      kept.set(key, value)
      total += weigh(value, key)
      for (const oldest of kept.keys()) {
        if (total <= limit) return
        remove(oldest)
      }
    },
    clear() {
      kept.clear()
      total = 0
    }
  }
}
