/** Whether a referrer matches a pattern as a whole; `*` stands for any characters, case is ignored. */
export function matchesReferrer(pattern: string, referrer: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*')
  const last = rest.pop()
  const folded = referrer.toLowerCase()
  if (last === undefined) return folded === first
  if (!folded.startsWith(first)) return false
  let position = first.length
  for (const part of rest) {
    const found = folded.indexOf(part, position)
    if (found === -1) return false
    position = found + part.length
  }
  return folded.length - last.length >= position && folded.endsWith(last)
}
