import { createHash } from 'node:crypto'

const PARTS = 2 ** 48

/** A number from 0 to below 1 that depends on its arguments alone. */
export function draw(seed: string, ...what: readonly (string | number)[]): number {
  const hash = createHash('sha256').update(JSON.stringify([seed, ...what]))
  return hash.digest().readUIntBE(0, 6) / PARTS
}

/** A whole number from `least` to `most`. */
export function drawBetween(
  least: number,
  most: number,
  seed: string,
  ...what: readonly (string | number)[]
): number {
  return least + Math.floor(draw(seed, ...what) * (most - least + 1))
}

/** Whether call `n`, counted from 1, is one of the `share` that are chosen in each `of` calls. */
export function isChosen(
  n: number,
  { share, of }: { share: number; of: number },
  seed: string,
  ...what: readonly (string | number)[]
): boolean {
  const block = Math.floor((n - 1) / of)
  const order = Array.from({ length: of }, (_, index) => ({
    index,
    rank: draw(seed, ...what, block, index)
  })).sort((a, b) => a.rank - b.rank)
  return order.slice(0, share).some(({ index }) => index === (n - 1) % of)
}
