/** Throws that depend on the record alone: the same record is drawn alike for ever. */
export interface Dice {
  /** At least `low`, below `high`, with one decimal. */
  between: (low: number, high: number) => number
  /** One of `sides` whole numbers from 0. */
  roll: (sides: number) => number
}

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
const TWO_TO_32 = 2 ** 32

export function createDice(seed: string): Dice {
  let state = hash(seed)
  // Mulberry32: small, and even for neighbouring seeds.
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / TWO_TO_32
  }
  return {
    between: (low, high) => Math.round((low + next() * (high - low)) * 10) / 10,
    roll: (sides) => Math.floor(next() * sides)
  }
}

function hash(text: string): number {
  let value = FNV_OFFSET
  for (const character of text) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), FNV_PRIME)
  }
  return value >>> 0
}
