/** Serialising deeper values would exceed the stack. */
const MAX_DEPTH = 1000

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Whether arrays and objects are nested deeper than `MAX_DEPTH`. */
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
    // Each bracket differs from its brace in one bit.
    else if ((sign | 0x20) === 0x7b && ++depth > MAX_DEPTH) return true
    else if ((sign | 0x20) === 0x7d) depth--
  }
  return false
}
