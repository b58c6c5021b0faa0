/** In this order: not known, not applicable, not present, without end. */
const SPECIAL_WORDS = new Set(['unknown', 'n/a', 'none', 'indefinite'])

export function isSpecialWord(value: string): boolean {
  return SPECIAL_WORDS.has(value)
}

export function isNumeric(value: string, unit?: string): boolean {
  const number = unit === undefined ? value : withoutUnit(value, unit)
  return /^\d+(\.\d+)?$/.test(number) && (unit === undefined || number !== value)
}

export function withoutUnit(value: string, unit: string): string {
  return value.endsWith(` ${unit}`) ? value.slice(0, -unit.length - 1) : value
}

/** The number at the start of a string such as `171 cm`; undefined if there is no number. */
export function leadingNumber(value: string): number | undefined {
  const match = /^-?\d+(\.\d+)?/.exec(value)
  return match === null ? undefined : Number(match[0])
}
