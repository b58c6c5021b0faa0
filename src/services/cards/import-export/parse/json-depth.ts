const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN = new Set([0x5b, 0x7b])
const CLOSE = new Set([0x5d, 0x7d])

/** Whether arrays and objects of JSON are nested deeper than `most`. */
export function isDeeperThan(json: Uint8Array, most: number): boolean {
  let depth = 0
  let isString = false
  for (let index = 0; index < json.length; index++) {
    const byte = json[index] ?? 0
    if (isString) {
      if (byte === BACKSLASH) index++
      else if (byte === QUOTE) isString = false
    } else if (byte === QUOTE) isString = true
    else if (OPEN.has(byte)) {
      if (++depth > most) return true
    } else if (CLOSE.has(byte)) depth--
  }
  return false
}
