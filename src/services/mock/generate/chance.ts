import { createSeededRandom, hashUtf16 } from '../../../kernel/seeded-random.ts'

/** Pseudo-random numbers that are the same on every machine for the same seed. */
export interface Chance {
  /** A number from 0 (included) to 1 (excluded). */
  next: () => number
  /** An integer from `low` to `high`, both included. */
  whole: (low: number, high: number) => number
  pick: <T>(list: readonly T[]) => T
  shuffle: <T>(list: readonly T[]) => T[]
}

export function createChance(seed: string): Chance {
  const next = createSeededRandom(hashUtf16(seed))

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
