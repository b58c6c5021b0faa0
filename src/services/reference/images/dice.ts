import { createSeededRandom, hashCodePoints } from '../../../kernel/seeded-random.ts'

/** Throws that depend on the record alone: the same record is drawn alike for ever. */
export interface Dice {
  /** At least `low`, below `high`, with one decimal. */
  between: (low: number, high: number) => number
  /** One of `sides` whole numbers from 0. */
  roll: (sides: number) => number
}

export function createDice(seed: string): Dice {
  const next = createSeededRandom(hashCodePoints(seed))
  return {
    between: (low, high) => Math.round((low + next() * (high - low)) * 10) / 10,
    roll: (sides) => Math.floor(next() * sides)
  }
}
