import type { TargetSize } from '../../../kernel/images/images.ts'

export type MediaSize = TargetSize

const NAMED: ReadonlyMap<string, TargetSize> = new Map([
  ['thumb', { width: 150, height: 150, fit: 'cover' }],
  ['small', square(680)],
  ['medium', square(1200)],
  ['large', square(2048)]
])
/** Other sizes are rounded up to one of these, so that few different ones are computed. */
const STEPS = [120, 240, 360, 680, 900, 1200, 2048, 4096]

function square(side: number): TargetSize {
  return { width: side, height: side, fit: 'inside' }
}

/** Undefined for the original: without a name, `orig`, or a name that is not known. */
export function mediaSizeOf(name: string | null): TargetSize | undefined {
  const named = NAMED.get(name ?? '')
  if (named !== undefined) return named
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(name ?? '') ?? []
  if (width === undefined || height === undefined) return undefined
  const wanted = Math.max(Number(width), Number(height))
  const side = STEPS.find((step) => step >= wanted)
  return side === undefined ? undefined : square(side)
}
