const REGIONAL_INDICATOR_A = 0x1f1e6
const TAG_BASE = 0xe0000
const BLACK_FLAG = 0x1f3f4
const TAG_END = 0xe007f

/** Unicode recommends flags for these subdivisions only. */
const WITH_FLAG = ['GB-ENG', 'GB-SCT', 'GB-WLS']

export function countryFlag(code: string): string {
  return String.fromCodePoint(...[...code].map(indicator))
}

export function countryFlagCodes(code: string): string {
  return [...code].map((letter) => `U+${indicator(letter).toString(16).toUpperCase()}`).join(' ')
}

function indicator(letter: string): number {
  return REGIONAL_INDICATOR_A + letter.charCodeAt(0) - 'A'.charCodeAt(0)
}

export function subdivisionFlag(code: string): string | null {
  if (!WITH_FLAG.includes(code)) return null
  const tags = [...code.replace('-', '').toLowerCase()].map((one) => TAG_BASE + one.charCodeAt(0))
  return String.fromCodePoint(BLACK_FLAG, ...tags, TAG_END)
}
