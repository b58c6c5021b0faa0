import { elementsOf, membersOf } from './spans.ts'

/** Whether two JSON texts have equal values: numbers to the last digit, members in any order. */
export function isSameValue(one: string, other: string): boolean {
  const [left, right] = [one.trim(), other.trim()]
  const first = left.charAt(0)
  if (kindOf(first) !== kindOf(right.charAt(0))) return false
  if (first === '{') return isSameObject(left, right)
  if (first === '[') return isSameArray(left, right)
  if (first === '"') return JSON.parse(left) === JSON.parse(right)
  return left === right || (kindOf(first) === 'number' && decimalOf(left) === decimalOf(right))
}

function kindOf(first: string): string {
  return /[-0-9]/.test(first) ? 'number' : first
}

function isSameObject(one: string, other: string): boolean {
  const [left, right] = [valuesOf(one), valuesOf(other)]
  if (left.size !== right.size) return false
  return [...left].every(([name, value]) => {
    const wanted = right.get(name)
    return wanted !== undefined && isSameValue(value, wanted)
  })
}

function valuesOf(text: string): Map<string, string> {
  const members = membersOf(text, 0)
  return new Map(members.map(({ name, valueStart, end }) => [name, text.slice(valueStart, end)]))
}

function isSameArray(one: string, other: string): boolean {
  const [left, right] = [elementsOf(one, 0), elementsOf(other, 0)]
  if (left.length !== right.length) return false
  return left.every(({ start, end }, index) => {
    const element = right[index]
    return (
      element !== undefined &&
      isSameValue(one.slice(start, end), other.slice(element.start, element.end))
    )
  })
}

/** Numbers with a longer exponent are compared as they are written. */
const MAX_EXPONENT_DIGITS = 15

/** One notation for each value: `1.50e3` → `15e2`; zero has no sign. */
function decimalOf(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(number) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const { length } = digits
  // A regular expression for the zeros at the end would take quadratic time.
  let end = length
  while (digits.charAt(end - 1) === '0') end--
  if (end === 0) return '0'
  if (exponent.length > MAX_EXPONENT_DIGITS) return number
  return `${sign}${digits.slice(0, end)}e${Number(exponent) - fraction.length + length - end}`
}
