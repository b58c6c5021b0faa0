import { CommandError, syntaxError } from '../wire/errors.ts'
import type { Scanner } from '../wire/scanner.ts'

const SYSTEM_FLAGS = ['\\Answered', '\\Flagged', '\\Deleted', '\\Seen', '\\Draft'] as const
const SYSTEM_FLAG_BY_KEY = new Map(SYSTEM_FLAGS.map((flag) => [flag.toLowerCase(), flag]))

/** Of all messages of a mailbox. */
const MAX_KEYWORDS = 200
const MAX_KEYWORD_CHARACTERS = 100

/** In parentheses, or without them if there is at least one. */
export function scanFlags(scanner: Scanner): string[] {
  if (scanner.isNext('(')) return scanner.list(scanner.flag).map(checkFlag)
  const flags = [checkFlag(scanner.flag())]
  while (scanner.skip(' ')) flags.push(checkFlag(scanner.flag()))
  return flags
}

function checkFlag(flag: string): string {
  if (!flag.startsWith('\\')) return flag
  const known = SYSTEM_FLAG_BY_KEY.get(flag.toLowerCase())
  if (known === undefined) throw syntaxError(`Invalid system flag ${flag}`)
  return known
}

/** Each flag once, keywords as they are spelled in the mailbox already. */
export function withKnownSpelling(
  flags: readonly string[],
  keywords: ReadonlyMap<string, string>
): string[] {
  const spelled = new Map<string, string>()
  let unknown = 0
  for (const flag of flags) {
    const key = flag.toLowerCase()
    if (spelled.has(key)) continue
    spelled.set(key, keywords.get(key) ?? flag)
    if (flag.startsWith('\\') || keywords.has(key)) continue
    unknown++
    if (flag.length > MAX_KEYWORD_CHARACTERS) {
      throw new CommandError('NO', 'A keyword is too long.', 'LIMIT')
    }
  }
  if (unknown > 0 && keywords.size + unknown > MAX_KEYWORDS) {
    throw new CommandError('NO', 'The mailbox has too many keywords.', 'LIMIT')
  }
  return [...spelled.values()]
}

export function flagsLine(keywords: Iterable<string>): string {
  return `* FLAGS (${[...SYSTEM_FLAGS, ...keywords].join(' ')})`
}

export function permanentFlagsLine(keywords: Iterable<string>, isReadOnly: boolean): string {
  if (isReadOnly) return '* OK [PERMANENTFLAGS ()] Read-only mailbox.'
  const flags = [...SYSTEM_FLAGS, ...keywords, '\\*']
  return `* OK [PERMANENTFLAGS (${flags.join(' ')})] Flags permitted.`
}
