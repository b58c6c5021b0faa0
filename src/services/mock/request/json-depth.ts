/** Whoever writes such a value out again would run out of stack. */
const MAX_DEPTH = 1000

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Whether lists and objects are nested deeper than anybody means it. */
export function isTooDeep(json: string): boolean {
  if (json.length <= MAX_DEPTH) return false
  let depth = 0
  let isQuoted = false
  for (let index = 0; index < json.length; index++) {
    const sign = json.charCodeAt(index)
    if (isQuoted) {
      if (sign === BACKSLASH) index++
      else if (sign === QUOTE) isQuoted = false
    } else if (sign === QUOTE) isQuoted = true
    // Both brackets differ from both braces in one bit.
    else if ((sign | 0x20) === 0x7b && ++depth > MAX_DEPTH) return true
    else if ((sign | 0x20) === 0x7d) depth--
  }
  return false
}
