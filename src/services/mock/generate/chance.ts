/** Numbers that look random and are the same on every machine for the same seed. */
export interface Chance {
  /** From 0 up to, not including, 1. */
  next: () => number
  /** A whole number from `low` to `high`, both included. */
  whole: (low: number, high: number) => number
  pick: <T>(list: readonly T[]) => T
  shuffle: <T>(list: readonly T[]) => T[]
}

/** FNV-1a over UTF-16 units to seed, mulberry32 to go on: 32-bit integer arithmetic only. */
export function createChance(seed: string): Chance {
  let state = 0x811c9dc5
  for (let index = 0; index < seed.length; index += 1) {
    state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193)
  }

  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  function whole(low: number, high: number): number {
    return low + Math.floor(next() * (high - low + 1))
  }

  return {
    next,
    whole,
    pick: (list) => list[whole(0, list.length - 1)] as (typeof list)[number],
    shuffle(list) {
      const mixed = [...list]
      for (let index = mixed.length - 1; index > 0; index -= 1) {
        const other = whole(0, index)
        const held = mixed[index] as (typeof mixed)[number]
        mixed[index] = mixed[other] as (typeof mixed)[number]
        mixed[other] = held
      }
      return mixed
    }
  }
}
