const SURROGATES = 0xd800
const BEHIND_SURROGATES = 0xe000

/** The order of UTF-8 bytes and of code points; that of UTF-16 units is different. */
export function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at++) {
    const left = one.charCodeAt(at)
    const right = other.charCodeAt(at)
    if (left !== right) return raiseSurrogate(left) - raiseSurrogate(right)
  }
  return one.length - other.length
}

/** A surrogate begins a code point above U+FFFF. */
function raiseSurrogate(unit: number): number {
  return unit >= SURROGATES && unit < BEHIND_SURROGATES ? unit + 0x10000 : unit
}
