/** Names of mailboxes, with `/` between the levels. */

export const INBOX = 'INBOX'
const SEPARATOR = '/'

/** The first level is INBOX in any case (RFC 3501, 5.1). */
export function normaliseName(name: string): string {
  const [first = '', ...others] = name.split(SEPARATOR)
  if (first.toUpperCase() !== INBOX) return name
  return [INBOX, ...others].join(SEPARATOR)
}

/** The names of the levels above, from the top. */
export function parentsOf(name: string): string[] {
  const levels = name.split(SEPARATOR)
  return levels.slice(1).map((_, index) => levels.slice(0, index + 1).join(SEPARATOR))
}

/** Range of the names below; `0` follows `/`. */
export function rangeBelow(name: string): readonly [from: string, before: string] {
  return [`${name}${SEPARATOR}`, `${name}0`]
}

/** PostgreSQL has no text with NUL. */
export function isStorable(name: string): boolean {
  return !name.includes('\0')
}
