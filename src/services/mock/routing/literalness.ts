import type { Segment } from './segments.ts'

/**
 * How much of a path is literal: segments without parameters, segments that have text beside their
 * parameters, characters of that text, and the number of parameters, negated.
 */
export type Literalness = readonly [number, number, number, number]

/** A template whose paths all match another template, too, is the more literal one of the two. */
export function literalnessOf(segments: readonly Segment[]): Literalness {
  let literal = 0
  let mixed = 0
  let characters = 0
  let parameters = 0
  for (const segment of segments) {
    if (segment.kind === 'literal') literal++
    else if (segment.kind === 'whole') parameters++
    else {
      const length = segment.template.texts.reduce((sum, text) => sum + text.length, 0)
      characters += length
      if (length > 0) mixed++
      parameters += segment.template.names.length
    }
  }
  return [literal, mixed, characters, -parameters]
}

/** Positive if the first one is more literal. */
export function compareLiteralness(one: Literalness, other: Literalness): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2] || one[3] - other[3]
}
