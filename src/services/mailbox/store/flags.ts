/** Flags of messages, as the tables store them. */
import type { FlagChange } from '../sandbox/mail-store.ts'

/** In the order in which they are stored. */
const SYSTEM_FLAGS = ['\\Answered', '\\Deleted', '\\Draft', '\\Flagged', '\\Seen'] as const
const SYSTEM_BY_NAME = new Map(SYSTEM_FLAGS.map((flag) => [flag.toLowerCase(), flag]))
const MAX_KEYWORDS = 100
/** An atom of IMAP, of limited length. */
const KEYWORD = /^[!#$&'+-Z^-z|}~[]{1,255}$/

export interface FlagColumns {
  readonly flags: string
  readonly is_seen: number
  readonly is_deleted: number
}

export function flagColumns(flags: readonly string[]): FlagColumns {
  return {
    flags: flags.join(' '),
    is_seen: flags.includes('\\Seen') ? 1 : 0,
    is_deleted: flags.includes('\\Deleted') ? 1 : 0
  }
}

export function parseFlags(stored: string): readonly string[] {
  return stored === '' ? [] : stored.split(' ')
}

/** Sorted, each once; keywords that differ only in case are one, in the first spelling. */
export function normaliseFlags(flags: readonly string[]): readonly string[] {
  const system = new Set<string>()
  const keywords = new Map<string, string>()
  for (const flag of flags) {
    const name = flag.toLowerCase()
    const known = SYSTEM_BY_NAME.get(name)
    if (known !== undefined) system.add(known)
    else if (!keywords.has(name) && keywords.size < MAX_KEYWORDS && KEYWORD.test(flag)) {
      keywords.set(name, flag)
    }
  }
  return [...SYSTEM_FLAGS.filter((flag) => system.has(flag)), ...[...keywords.values()].sort()]
}

/** `flags` are normalised, and so is the result. */
export function changeFlags(
  existing: readonly string[],
  change: FlagChange,
  flags: readonly string[]
): readonly string[] {
  if (change === 'replace') return flags
  if (change === 'add') return normaliseFlags([...existing, ...flags])
  const removed = new Set(flags.map((flag) => flag.toLowerCase()))
  return existing.filter((flag) => !removed.has(flag.toLowerCase()))
}
