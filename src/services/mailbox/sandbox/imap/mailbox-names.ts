import { CommandError } from './wire/errors.ts'
import type { Scanner } from './wire/scanner.ts'
import { decodeUtf7 } from './wire/utf7.ts'

const MAX_NAME_CHARACTERS = 255
const MAX_LEVELS = 20

/** A name as the store knows it; INBOX is the same in all spellings. */
export function scanMailbox(scanner: Scanner): string {
  return mailboxFrom(scanner.astring())
}

export function mailboxFrom(text: string): string {
  const name = decodeUtf7(text)
  if (name === undefined) throw nameNotAllowed('not valid mUTF-7')
  return withInbox(name)
}

function withInbox(name: string): string {
  const [first = '', ...others] = name.split('/')
  return first.toUpperCase() === 'INBOX' ? ['INBOX', ...others].join('/') : name
}

/** Throws if a mailbox cannot have this name. */
export function checkNewName(name: string): void {
  if (name.length > MAX_NAME_CHARACTERS) throw nameNotAllowed('too long')
  const levels = name.split('/')
  if (levels.length > MAX_LEVELS) throw nameNotAllowed('too many levels')
  if (levels.some((level) => level === '')) throw nameNotAllowed('empty level')
  // A lone surrogate has no UTF-8 form.
  if (/[\p{Cc}%*]/u.test(name) || !name.isWellFormed()) throw nameNotAllowed('wrong character')
}

function nameNotAllowed(reason: string): CommandError {
  return new CommandError('NO', `Invalid mailbox name: ${reason}`, 'CANNOT')
}

/**
 * Whether a pattern of LIST matches a name: `*` is any text, `%` any text of one level. Takes time
 * in proportion to the product of both lengths at most.
 */
export function matchesPattern(pattern: string, name: string): boolean {
  let states = follow(pattern, new Set([0]))
  for (const character of name.split('')) {
    const next = new Set<number>()
    for (const state of states) {
      const wanted = pattern[state]
      if (wanted === '*' || (wanted === '%' && character !== '/')) next.add(state)
      else if (wanted === character) next.add(state + 1)
    }
    if (next.size === 0) return false
    states = follow(pattern, next)
  }
  return states.has(pattern.length)
}

/** A wildcard also matches no text. */
function follow(pattern: string, states: Set<number>): Set<number> {
  for (const state of states) {
    if (pattern[state] === '*' || pattern[state] === '%') states.add(state + 1)
  }
  return states
}

/** Patterns match INBOX in any case. */
export function matchesMailbox(pattern: string, name: string): boolean {
  if (matchesPattern(pattern, name)) return true
  return name === 'INBOX' && matchesPattern(pattern.toUpperCase(), name)
}
