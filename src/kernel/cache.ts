/** Keeps recently used entries, up to a total weight. */
export interface Cache<Value> {
  get: (key: string) => Value | undefined
  /** Creates and stores a missing value; `undefined` is stored like any value. */
  getOrCreate: (key: string, create: (key: string) => Value) => Value
  set: (key: string, value: Value) => void
  delete: (key: string) => void
  clear: () => void
}

interface Entry<Value> {
  readonly value: Value
  readonly weight: number
  /** Read since the last eviction pass; such an entry gets a second chance (CLOCK). */
  used: boolean
}

/**
 * By default each entry weighs 1, so that `limit` is a number of entries. A hit only sets a flag
 * and takes 30 ns (Map: 23); a new entry takes 450 ns (Map: 190), too slow for values that change
 * at each call, such as counters.
 */
export function createCache<Value>(
  limit: number,
  weigh: (value: Value, key: string) => number = () => 1
): Cache<Value> {
  const kept = new Map<string, Entry<Value>>()
  let total = 0

  function remove(key: string): void {
    const entry = kept.get(key)
    if (entry !== undefined && kept.delete(key)) total -= entry.weight
  }

  function evict(): void {
    for (const [key, entry] of kept) {
      if (total <= limit) return
      kept.delete(key)
      if (entry.used) {
        entry.used = false
        kept.set(key, entry)
      } else {
        total -= entry.weight
      }
    }
  }

  function set(key: string, value: Value): void {
    remove(key)
    const weight = weigh(value, key)
    kept.set(key, { value, weight, used: false })
    total += weight
    evict()
  }

  return {
    get(key) {
      const entry = kept.get(key)
      if (entry === undefined) return undefined
      entry.used = true
      return entry.value
    },
    getOrCreate(key, create) {
      const entry = kept.get(key)
      if (entry !== undefined) {
        entry.used = true
        return entry.value
      }
      const value = create(key)
      set(key, value)
      return value
    },
    set,
    delete: remove,
    clear() {
      kept.clear()
      total = 0
    }
  }
}
