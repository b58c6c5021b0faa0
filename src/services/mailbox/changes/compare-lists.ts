import type { ListResponse } from 'imapflow'
import { type AddedMailbox, findRenames, type GoneMailbox } from './find-renames.ts'
import { type IndexKind, parseDetails } from './mailbox-details.ts'
import type { StatusRow } from './needs-comparison.ts'
import type { WatchedPaths } from './watched-paths.ts'

export interface ListedRow extends StatusRow {
  readonly path: string
  readonly special_use: string | null
  readonly revision: number
}

/** What a list of mailboxes changes in the rows, which are named by path. */
export interface ListChanges {
  readonly removed: readonly ListedRow[]
  readonly renamed: readonly { readonly row: ListedRow; readonly to: ListResponse }[]
  /** Rows without an index that are added or replace others. */
  readonly placeholders: readonly { readonly mailbox: ListResponse; readonly kind: IndexKind }[]
}

interface Lists {
  readonly stored: readonly ListedRow[]
  readonly watched: WatchedPaths
  /** New paths by old ones, as the server told them. */
  readonly told: ReadonlyMap<string, string>
  readonly isInitialized: boolean
}

/** Rows whose mailbox is gone, or whose path lists another mailbox now. */
export function goneRows({ stored, watched }: Lists): readonly ListedRow[] {
  const listed = new Map(watched.selectable.map((mailbox) => [mailbox.path, mailbox]))
  return stored.filter((row) => {
    const mailbox = listed.get(row.path)
    return mailbox === undefined || isReplaced(row, mailbox)
  })
}

function isReplaced({ uid_validity }: ListedRow, { status }: ListResponse): boolean {
  if (uid_validity === '' || status?.uidValidity === undefined) return false
  return String(status.uidValidity) !== uid_validity
}

export function compareLists(lists: Lists): ListChanges {
  const { stored, watched } = lists
  const rows = new Map(stored.map((row) => [row.path, row]))
  const listed = new Map(watched.selectable.map((mailbox) => [mailbox.path, mailbox]))
  const gone = goneRows(lists)
  const renames = renamesOf(lists, gone)
  const targets = new Set(renames.values())
  const renamed = [...renames].flatMap(([from, to]) => {
    const [row, mailbox] = [rows.get(from), listed.get(to)]
    return row === undefined || mailbox === undefined ? [] : [{ row, to: mailbox }]
  })
  const removed = gone.filter(({ path }) => {
    // A mailbox that was made anew is reset when it is compared.
    return !renames.has(path) && (!listed.has(path) || targets.has(path))
  })
  const left = watched.selectable.filter(({ path }) => !targets.has(path))
  const placeholders = left.flatMap((mailbox) => {
    const row = renames.has(mailbox.path) ? undefined : rows.get(mailbox.path)
    const kind = placeholderOf(row, watched.isWatched(mailbox), lists)
    return kind === undefined ? [] : [{ mailbox, kind }]
  })
  return { removed, renamed, placeholders }
}

/** Undefined if no row is to be added or replaced. */
function placeholderOf(
  row: ListedRow | undefined,
  isWatched: boolean,
  { isInitialized, stored }: Lists
): IndexKind | undefined {
  const kind = row && parseDetails(row.details).kind
  if (!isWatched) return kind === 'unwatched' ? undefined : 'unwatched'
  if (kind === 'unwatched') return 'unread'
  // All rows are gone, though the account was read before.
  return isInitialized && stored.length === 0 ? 'lost' : undefined
}

function renamesOf(
  { stored, watched, told }: Lists,
  gone: readonly ListedRow[]
): Map<string, string> {
  const gonePaths = new Set(gone.map(({ path }) => path))
  const known = stored.filter(({ path }) => !gonePaths.has(path))
  const knownPaths = new Set(known.map(({ path }) => path))
  const added = watched.selectable.filter(({ path }) => !knownPaths.has(path))
  if (gone.length === 0 || added.length === 0) return new Map()
  return findRenames({
    gone: gone.filter(({ uid_validity }) => uid_validity !== '').map(goneMailboxOf),
    added: added.map(addedMailboxOf),
    told,
    otherValidities: new Set(known.map(({ uid_validity }) => uid_validity))
  })
}

function goneMailboxOf(row: ListedRow): GoneMailbox {
  const { path, uid_validity, uid_next, messages } = row
  return { path, uidValidity: uid_validity, uidNext: uid_next, messages }
}

function addedMailboxOf({ path, delimiter, status }: ListResponse): AddedMailbox {
  return { path, delimiter: delimiter || undefined, status }
}
