/** Keeps what was used lately, up to a total weight. */
export interface Cache<Value> {
  get: (key: string) => Value | undefined
  set: (key: string, value: Value) => void
  clear: () => void
}

interface Entry<Value> {
  readonly value: Value
  readonly weight: number
  /** Asked for since it was last looked at: the next one to go instead is a later one. */
  used: boolean
}

/** A hit only sets a mark; moving the entry at each hit would cost more than the look-up. */
export function createCache<Value>(
  limit: number,
  weigh: (value: Value, key: string) => number
): Cache<Value> {
  const kept = new Map<string, Entry<Value>>()
  let total = 0

  function remove(key: string): void {
    const entry = kept.get(key)
    if (entry !== undefined && kept.delete(key)) total -= entry.weight
  }

  function makeRoom(): void {
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

  return {
    get(key) {
      const entry = kept.get(key)
      if (entry === undefined) return undefined
      entry.used = true
      return entry.value
    },
    set(key, value) {
      remove(key)
      const weight = weigh(value, key)
      kept.set(key, { value, weight, used: false })
      total += weight
      makeRoom()
    },
    clear() {
      kept.clear()
      total = 0
    }
  }
}
