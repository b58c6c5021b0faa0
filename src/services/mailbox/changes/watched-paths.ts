import type { ListResponse } from 'imapflow'
import { ALL_PATHS } from '../accounts/watch-fields.ts'
import { isSelectable } from '../messages/folders.ts'

/** Of a path while two mailboxes exchange theirs. */
export const TEMPORARY_PREFIX = '\u0001'
/** Of a path; an index of PostgreSQL has no longer ones. */
const MAX_BYTES = 2000
/** On Gmail the other mailboxes are labels of the messages in these. */
const GMAIL_USES: readonly unknown[] = ['\\All', '\\Junk', '\\Trash']

interface Watched {
  /** Paths or special uses such as `\Sent`, as the account names them. */
  readonly wanted: readonly string[] | undefined
  readonly isGmail: boolean
}

export interface WatchedPaths {
  /** Mailboxes with messages, once each. */
  readonly selectable: readonly ListResponse[]
  readonly isWatched: (mailbox: ListResponse) => boolean
}

/** Which of the listed mailboxes are compared. */
export function watchedPaths(
  listed: readonly ListResponse[],
  { wanted = [ALL_PATHS], isGmail }: Watched
): WatchedPaths {
  const usable = listed.filter((mailbox) => isSelectable(mailbox) && isStorable(mailbox))
  const byPath = new Map(usable.map((mailbox) => [mailbox.path, mailbox]))
  const selectable = [...byPath.values()]
  const names = new Set(wanted)
  const uses = new Set(wanted.map((name) => name.toLowerCase()))
  const isAll = wanted.length === 0 || names.has(ALL_PATHS)
  const hasAll = selectable.some(({ specialUse }) => specialUse === '\\All')
  return {
    selectable,
    isWatched({ path, specialUse }) {
      if (isAll) return !(isGmail && hasAll) || GMAIL_USES.includes(specialUse)
      if (names.has(path)) return true
      if (path === 'INBOX' && uses.has('inbox')) return true
      return specialUse?.startsWith('\\') === true && uses.has(specialUse.toLowerCase())
    }
  }
}

/** Tables have no strings with NUL or half a surrogate pair. */
function isStorable({ path }: ListResponse): boolean {
  const isUsed = path.includes('\0') || path.startsWith(TEMPORARY_PREFIX)
  return !isUsed && path.isWellFormed() && Buffer.byteLength(path) <= MAX_BYTES
}
