import { readInteger } from './exact-integers.ts'
import type { Json } from './json.ts'

/** An integer of so many digits may be too large for a number. */
const LARGE = /(?<![\w.+-])-?\d{16,}(?![\w.])/g

/** Whether a JSON or YAML text may contain an integer that a number cannot represent. */
export function mayHaveLargeIntegers(text: string): boolean {
  return new RegExp(LARGE.source).test(text)
}

/** A JSON text in which large integers are replaced by the numbers that stand for them. */
export function replaceLargeIntegers(json: string): string {
  let written = ''
  let copied = 0
  let next = 0
  for (const { 0: digits, index } of json.matchAll(LARGE)) {
    next = endOfStrings(json, next, index)
    const number = readInteger(digits)
    if (next > index || !Number.isFinite(number)) continue
    written += json.slice(copied, index) + number
    copied = index + digits.length
  }
  return written + json.slice(copied)
}

/** The end of the last string that begins between two positions; the first one without strings. */
function endOfStrings(json: string, from: number, to: number): number {
  let next = from
  while (next <= to) {
    const open = json.indexOf('"', next)
    if (open === -1 || open > to) return next
    let close = json.indexOf('"', open + 1)
    while (close !== -1 && isEscaped(json, close)) close = json.indexOf('"', close + 1)
    if (close === -1) return json.length
    next = close + 1
  }
  return next
}

function isEscaped(json: string, quote: number): boolean {
  let start = quote
  while (json[start - 1] === '\\') start--
  return (quote - start) % 2 === 1
}

/** Replaces the integers of a parsed YAML text, which are of any size, in place. */
export function fromBigInts(root: unknown): Json {
  const holder = [root]
  const waiting: object[] = [holder]
  // Aliases let a short document contain the same object billions of times.
  const seen = new Set(waiting)
  for (let container = waiting.pop(); container !== undefined; container = waiting.pop()) {
    for (const [name, value] of Object.entries(container)) {
      if (typeof value === 'bigint') Reflect.set(container, name, readInteger(String(value)))
      else if (typeof value === 'object' && value !== null && !seen.has(value)) {
        seen.add(value)
        waiting.push(value)
      }
    }
  }
  return holder[0] as Json
}
