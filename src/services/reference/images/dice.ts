import { createSeededRandom, hashCodePoints } from '../../../kernel/seeded-random.ts'

/** Pseudo-random numbers that depend on the seed alone, so that a record always looks the same. */
export interface Dice {
  /** A number from `low` to `high` with one decimal. */
  between: (low: number, high: number) => number
  /** A whole number from 0 to `sides` - 1. */
  roll: (sides: number) => number
}

export function createDice(seed: string): Dice {
  const next = createSeededRandom(hashCodePoints(seed))
  return {
    between: (low, high) => Math.round((low + next() * (high - low)) * 10) / 10,
    roll: (sides) => Math.floor(next() * sides)
  }
}
