/** Deeper encodings are not decoded by any known server. */
const MAX_DECODINGS = 4

/**
 * Whether an upstream could resolve the path to one above its start. Upstreams differ: some decode
 * the path before they resolve dot segments, some once more, some treat backslashes as slashes or
 * ignore parameters after a semicolon.
 */
export function climbsOut(path: string): boolean {
  if (!/\.\.|%/.test(path)) return false
  let text = path
  for (let count = 0; count <= MAX_DECODINGS; count += 1) {
    if (isAbove(text.split('/')) || isAbove(text.split(/[/\\]/))) return true
    const decoded = text.replace(/%(25|2e|2f|5c|3b)/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16))
    )
    if (decoded === text) return false
    text = decoded
  }
  // Nested so often only to hide something.
  return true
}

function isAbove(segments: readonly string[]): boolean {
  let depth = 0
  for (const segment of segments) {
    const [name] = segment.split(';', 1)
    if (name === '..') depth -= 1
    // Empty segments do not count, because many servers merge slashes.
    else if (name !== '.' && name !== '') depth += 1
    if (depth < 0) return true
  }
  return false
}
