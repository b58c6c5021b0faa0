/**
 * Integers of documents that a number cannot represent, such as 9223372036854775807. The rest of
 * the service works with a number that stands for each of them, and only a writer replaces it by
 * the digits. So a number that a client sends and that stands for such an integer gets its digits,
 * too, which differ from it by no more than rounding does.
 */
const digitsByNumber = new Map<number, string>()
const numbersByDigits = new Map<string, number>()

/** Digits of further integers, and of so many that are close together, are rounded. */
const MAX_KEPT = 20_000
const MAX_STEPS = 200

/** Beyond this, different integers are rounded to the same number. */
const FIRST_INEXACT = 2 ** 53

/** The number that stands for an integer; no two integers share one. */
export function readInteger(digits: string): number {
  const rounded = Number(digits)
  if (!isInexact(rounded)) return rounded
  const known = numbersByDigits.get(digits)
  if (known !== undefined) return known
  if (numbersByDigits.size >= MAX_KEPT) return rounded
  const number = findFree(digits, rounded)
  if (number === undefined) return rounded
  numbersByDigits.set(digits, number)
  digitsByNumber.set(number, digits)
  return number
}

/** The number itself, or one beside it that stands for no other integer. */
function findFree(digits: string, rounded: number): number | undefined {
  // Towards the integer itself, so that a bound that it respects is respected, too.
  const wasRoundedUp = BigInt(Math.abs(rounded)) > BigInt(digits.replace('-', ''))
  return (wasRoundedUp ? findBeside(rounded, -1) : undefined) ?? findBeside(rounded, 1)
}

function findBeside(start: number, direction: 1 | -1): number | undefined {
  const exponent = Math.floor(Math.log2(Math.abs(start)))
  const step = direction * Math.sign(start) * 2 ** (exponent - 52)
  let number = start
  for (let steps = 0; steps < MAX_STEPS && isInexact(number); steps++) {
    if (!digitsByNumber.has(number)) return number
    number += step
  }
  return undefined
}

function isInexact(number: number): boolean {
  return Number.isFinite(number) && Math.abs(number) >= FIRST_INEXACT
}

/** A string as it is, an object or array as JSON. */
export function writePlain(value: unknown): string {
  if (typeof value === 'number') return digitsByNumber.get(value) ?? String(value)
  return typeof value === 'object' && value !== null ? writeJson(value) : String(value)
}

/** Not known to the type checker. */
const rawJSON: (text: string) => unknown = Reflect.get(JSON, 'rawJSON')

/** Like `JSON.stringify`. */
export function writeJson(value: unknown, indent?: number): string {
  // A function that is called for each value makes it several times slower.
  return digitsByNumber.size === 0
    ? JSON.stringify(value, null, indent)
    : JSON.stringify(value, withDigits, indent)
}

function withDigits(_name: string, value: unknown): unknown {
  const digits = typeof value === 'number' ? digitsByNumber.get(value) : undefined
  return digits === undefined ? value : rawJSON(digits)
}

/** For writers that know integers of any size. */
export function toExact(_name: unknown, value: unknown): unknown {
  const digits = typeof value === 'number' ? digitsByNumber.get(value) : undefined
  return digits === undefined ? value : BigInt(digits)
}
