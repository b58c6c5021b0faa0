import { isNumberFine } from '../schema/accepts.ts'
import type { TypeName } from '../schema/json-schema.ts'
import type { Part } from './parts.ts'
import type { GenerationContext } from './work.ts'

interface Range {
  low: number
  high: number
  /** Every value is an integer multiple of this fraction; undefined if any number is allowed. */
  step: Fraction | undefined
}

interface Fraction {
  numerator: bigint
  denominator: bigint
}

const RANDOM_SPAN = 1000
const COUNTED = 64
const MAX_DECIMALS = 30
const MAX_INT32 = 2 ** 31 - 1
const MIN_INT32 = -(2 ** 31)

/** Yields numbers in range, the static choice first, then its neighbours, then others. */
export function* numberCandidates(
  parts: readonly Part[],
  type: TypeName,
  work: GenerationContext
): Iterable<number> {
  const fine = (value: number) =>
    (type !== 'integer' || Number.isInteger(value)) &&
    Number.isFinite(value) &&
    parts.every(
      ({ schema }) =>
        isNumberFine(schema, value) &&
        (schema.format === undefined || work.hasFormat(schema.format, value))
    )
  const range = readRange(parts, type)
  const offered = new Set<number>()
  const later: number[] = []
  for (const value of range.step === undefined ? anyNumber(range, work) : onStep(range, work)) {
    const plain = value === 0 ? 0 : value
    if (offered.has(plain) || !fine(plain)) continue
    offered.add(plain)
    if (later.length > COUNTED || isExact(parts, plain)) yield plain
    else later.push(plain)
  }
  yield* later
}

/** 0.3 is a multiple of 0.1, but 0.3 / 0.1 is not an integer, so strict validators reject it. */
function isExact(parts: readonly Part[], value: number): boolean {
  return parts.every(
    ({ schema }) => schema.multipleOf === undefined || Number.isInteger(value / schema.multipleOf)
  )
}

function readRange(parts: readonly Part[], type: TypeName): Range {
  let low = Number.NEGATIVE_INFINITY
  let high = Number.POSITIVE_INFINITY
  let isShort = false
  let step: Fraction | undefined =
    type === 'integer' ? { numerator: 1n, denominator: 1n } : undefined
  for (const { schema } of parts) {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema
    low = Math.max(low, minimum ?? low, exclusiveMinimum ?? low)
    high = Math.min(high, maximum ?? high, exclusiveMaximum ?? high)
    isShort ||= format === 'int32'
    if (multipleOf !== undefined) step = commonMultiple(step, toFraction(multipleOf))
  }
  return isShort ? { ...shorten(low, high), step } : { low, high, step }
}

/** Applies the limits of int32 to the author's bounds; without bounds, numbers start at 0. */
function shorten(low: number, high: number): { low: number; high: number } {
  if (!Number.isFinite(low) && !Number.isFinite(high)) return { low: 0, high: MAX_INT32 }
  return {
    low: Number.isFinite(low) ? Math.max(low, MIN_INT32) : low,
    high: Number.isFinite(high) ? Math.min(high, MAX_INT32) : high
  }
}

function* onStep({ low, high, step }: Range, work: GenerationContext): Iterable<number> {
  const unit = step as Fraction
  const first = Number.isFinite(low) ? timesAtLeast(low, unit) : undefined
  const last = Number.isFinite(high) ? -timesAtLeast(-high, unit) : undefined
  const start = first ?? last ?? 0n
  const direction = first === undefined && last !== undefined ? -1n : 1n
  if (work.style === 'random') {
    const from = first ?? (last ?? BigInt(RANDOM_SPAN)) - BigInt(RANDOM_SPAN)
    const to = last ?? from + BigInt(RANDOM_SPAN)
    const span = to - from > BigInt(MAX_INT32) ? BigInt(MAX_INT32) : to - from
    for (let count = 0; count < COUNTED && span > 0n; count += 1) {
      yield multiple(from + BigInt(work.chance.whole(0, Number(span))), unit)
    }
  }
  for (let count = 0n; ; count += 1n) {
    const times = start + count * direction
    if ((last !== undefined && times > last) || (first !== undefined && times < first)) return
    yield multiple(times, unit)
    if (count > 100_000n) return
  }
}

function* anyNumber({ low, high }: Range, work: GenerationContext): Iterable<number> {
  const from = Number.isFinite(low) ? low : Math.min(0, Number.isFinite(high) ? high - 1 : 0)
  const to = Number.isFinite(high) ? high : from + RANDOM_SPAN
  if (work.style === 'random') {
    for (let count = 0; count < COUNTED; count += 1) {
      // Two decimals in ranges wider than 1, as in prices and lengths.
      const value = from + (to - from) * work.chance.next()
      yield to - from > 1 ? Math.round(value * 100) / 100 : value
    }
  }
  if (Number.isFinite(low)) yield* [low, low + 1]
  if (Number.isFinite(high)) yield* [high, high - 1]
  if (!Number.isFinite(low) && !Number.isFinite(high)) yield 0
  yield (from + to) / 2
  for (let count = 1; count <= COUNTED; count += 1) {
    yield from + count
    yield from + count - 0.5
    yield from + ((to - from) * count) / (COUNTED + 1)
  }
}

function toFraction(value: number): Fraction {
  const [digits = '0', exponent = '0'] = value.toString().split('e')
  const [whole = '0', decimals = ''] = digits.split('.')
  const shift = decimals.length - Number(exponent)
  const numerator = BigInt(whole + decimals)
  if (shift <= 0) return { numerator: numerator * 10n ** BigInt(-shift), denominator: 1n }
  return { numerator, denominator: 10n ** BigInt(Math.min(shift, MAX_DECIMALS)) }
}

function commonMultiple(one: Fraction | undefined, other: Fraction): Fraction {
  if (one === undefined) return other
  const denominator = one.denominator * other.denominator
  const a = one.numerator * other.denominator
  const b = other.numerator * one.denominator
  return { numerator: (a / greatestDivisor(a, b)) * b, denominator }
}

function greatestDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other]
  while (b !== 0n) [a, b] = [b, a % b]
  return a
}

/** The smallest integer number of steps that is not below the value. */
function timesAtLeast(value: number, { numerator, denominator }: Fraction): bigint {
  const sign = value < 0 ? -1n : 1n
  const exact = toFraction(Math.abs(value))
  const top = sign * exact.numerator * denominator
  const bottom = exact.denominator * numerator
  const times = top / bottom
  return top > 0n && top % bottom !== 0n ? times + 1n : times
}

function multiple(times: bigint, { numerator, denominator }: Fraction): number {
  const top = times * numerator
  if (top % denominator === 0n) return Number(top / denominator)
  const divisor = greatestDivisor(top < 0n ? -top : top, denominator)
  return Number(top / divisor) / Number(denominator / divisor)
}
