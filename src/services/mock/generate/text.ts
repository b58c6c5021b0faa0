import type { Chance } from './chance.ts'
import {
  fittingFormatValue,
  longFormatValue,
  randomFormatValue,
  shortFormatValue,
  staticFormatValue
} from './format-values.ts'
import { shortestMatch, writeFromPattern } from './from-pattern.ts'
import type { Part } from './parts.ts'
import { type GenerationContext, type GenerationSite, MAX_TEXT_LENGTH } from './work.ts'

interface Limits {
  least: number
  most: number
}

const PLAIN = 'string'
const PATTERN_TRIES = 120
const FORMAT_TRIES = 12
const WORDS = (
  'amber basin cedar delta ember fjord grove harbor island jetty kelp lagoon meadow north orchard ' +
  'pebble quarry ridge summit thicket upland valley willow yonder zephyr'
).split(' ')

/** Yields strings that meet lengths, patterns and formats; the static choice is first. */
export function* textCandidates(
  parts: readonly Part[],
  site: GenerationSite,
  work: GenerationContext
): Iterable<string> {
  const limits = readLimits(parts)
  if (limits.least > limits.most) return
  if (limits.least > MAX_TEXT_LENGTH) {
    work.note(
      `the schema requires a string of ${limits.least} characters, but at most ${MAX_TEXT_LENGTH} can be generated`
    )
    return
  }
  const patterns = [...new Set(parts.flatMap(({ schema }) => schema.pattern ?? []))]
  const formats = [...new Set(parts.flatMap(({ schema }) => schema.format ?? []))]
  const fine = (text: string) =>
    isWithin(text, limits) &&
    patterns.every((pattern) => work.patterns.get(pattern).test(text)) &&
    formats.every((format) => work.hasFormat(format, text))
  const offered = new Set<string>()
  for (const text of texts(patterns, formats, limits, site, work)) {
    work.spend(1 + text.length / 100)
    if (offered.has(text) || !fine(text)) continue
    offered.add(text)
    yield text
  }
}

function* texts(
  patterns: readonly string[],
  formats: readonly string[],
  limits: Limits,
  site: GenerationSite,
  work: GenerationContext
): Iterable<string> {
  for (const format of formats) yield* formatTexts(format, limits, site, work)
  if (patterns.length > 0) yield* patternTexts(patterns, limits, work)
  yield* plainTexts(limits, work)
}

function readLimits(parts: readonly Part[]): Limits {
  return {
    least: Math.max(0, ...parts.map(({ schema }) => schema.minLength ?? 0)),
    most: Math.min(...parts.map(({ schema }) => schema.maxLength ?? Number.POSITIVE_INFINITY))
  }
}

function isWithin(text: string, { least, most }: Limits): boolean {
  const length = [...text].length
  return length >= least && length <= most
}

function* formatTexts(
  format: string,
  limits: Limits,
  site: GenerationSite,
  work: GenerationContext
): Iterable<string> {
  const { chance } = work
  const random = function* () {
    for (let count = 0; count < FORMAT_TRIES; count += 1) yield randomFormatValue(format, chance)
  }
  if (work.style === 'random') yield* defined(random())
  yield* defined([
    staticFormatValue(format, site.name),
    longFormatValue(format, limits.least),
    fittingFormatValue(format, limits.least),
    shortFormatValue(format)
  ])
  yield* defined(random())
}

function* defined(texts: Iterable<string | undefined>): Iterable<string> {
  for (const text of texts) if (text !== undefined) yield text
}

function* patternTexts(
  patterns: readonly string[],
  limits: Limits,
  work: GenerationContext
): Iterable<string> {
  const { least, most } = limits
  const longest = Math.min(most, MAX_TEXT_LENGTH)
  if (patterns.some((one) => shortestMatch(work.patterns.get(one)) > longest)) return
  for (let count = 0; count < PATTERN_TRIES; count += 1) {
    const pattern = work.patterns.get(patterns[count % patterns.length] as string)
    const generous = work.style === 'random' ? count % 2 === 0 : count % 4 === 3
    const spare = Math.min(most - least, 10)
    const length = least + (generous && spare > 0 ? work.chance.whole(0, spare) : 0)
    const text = writeFromPattern(pattern, length, generous, work.chance)
    work.spend(1 + (text?.length ?? MAX_TEXT_LENGTH) / 100)
    if (text !== undefined) yield text
  }
}

function* plainTexts({ least, most }: Limits, work: GenerationContext): Iterable<string> {
  const { options } = work
  const stretch = (text: string) => {
    const repeated = text.repeat(Math.max(1, Math.ceil(least / text.length)))
    return repeated.slice(0, Math.max(least, Math.min(most, text.length)))
  }
  if (work.style === 'random') {
    const low = Math.max(least, Math.min(options.minLength ?? 0, most))
    const high = Math.min(most, Math.max(low, options.maxLength ?? low + 40))
    for (let count = 0; count < FORMAT_TRIES; count += 1) yield words(low, high, work.chance)
  }
  yield stretch(PLAIN)
  for (let count = 1; count < 1000; count += 1) {
    yield numbered(stretch(PLAIN), count, most)
    yield words(least, Math.min(most, least + 20), work.chance)
  }
}

/** Appends the number; it replaces the last characters if the string would exceed the limit. */
function numbered(text: string, count: number, most: number): string {
  const digits = count.toString(36)
  if (digits.length > most) return text
  return text.slice(0, Math.max(0, most - digits.length)) + digits
}

function words(least: number, most: number, chance: Chance): string {
  let text = chance.pick(WORDS)
  const target = chance.whole(least, Math.max(least, Math.min(most, least + 40)))
  while (text.length < target) text += ` ${chance.pick(WORDS)}`
  if (text.length > most) text = text.slice(0, most)
  return text.length >= least ? text.trimEnd().padEnd(least, 'a') : text.padEnd(least, 'a')
}
