const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193
const TWO_TO_32 = 2 ** 32

/**
 * Mulberry32: numbers from 0 up to, not including, 1. Equal on every machine for the same seed,
 * because it uses 32-bit integer arithmetic only. Not suitable for secrets.
 */
export function createSeededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / TWO_TO_32
  }
}

/** FNV-1a over UTF-16 units. */
export function hashUtf16(text: string): number {
  let value = FNV_OFFSET
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), FNV_PRIME)
  }
  return value >>> 0
}

/** FNV-1a over code points: differs from `hashUtf16` beyond the Basic Multilingual Plane. */
export function hashCodePoints(text: string): number {
  let value = FNV_OFFSET
  for (const character of text) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), FNV_PRIME)
  }
  return value >>> 0
}
