import type { ListResponse } from 'imapflow'
import { FolderNotFound } from '../messages/contract.ts'
import { isRejected } from '../messages/rejected-command.ts'
import {
  listWatchedMailboxes,
  MailboxChanged,
  markMailboxes,
  requireRevision,
  UNKNOWN_MESSAGES
} from '../store/watched-mailboxes.ts'
import type { ChangeSession } from './change-session.ts'
import { compareLists, goneRows, type ListChanges, type ListedRow } from './compare-lists.ts'
import { indexKindOf } from './index-kind.ts'
import { parseDetails } from './mailbox-details.ts'
import { openSnapshot } from './open-snapshot.ts'
import { storeList } from './store-list.ts'
import { type WatchedPaths, watchedPaths } from './watched-paths.ts'

const INBOX = 'INBOX'
/** For a moment another process may watch the account too. */
const MAX_ATTEMPTS = 3
const NO_RENAMES: ReadonlyMap<string, string> = new Map()

/**
 * Compares a list of mailboxes with those that are stored: stores the events of mailboxes that were
 * removed or renamed. Those that are watched are returned; new ones are stored when they are read.
 * `renames` has new paths by old ones, as the server told them.
 */
export async function reconcileList(
  session: ChangeSession,
  listed: readonly ListResponse[],
  renames: ReadonlyMap<string, string> = NO_RENAMES
): Promise<readonly ListResponse[]> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    try {
      return await reconcile(session, listed, renames)
    } catch (error) {
      if (!(error instanceof MailboxChanged)) throw error
    }
  }
  return []
}

async function reconcile(
  session: ChangeSession,
  listed: readonly ListResponse[],
  renames: ReadonlyMap<string, string>
): Promise<readonly ListResponse[]> {
  const { account, client, context, isInitialized } = session
  const { database, now } = context.kernel
  const stored = await database.read(() => listWatchedMailboxes(account.id))
  const isGmail = client.capabilities.has('X-GM-EXT-1')
  const watched = watchedPaths(listed, { wanted: account.settings.path, isGmail })
  if (isIncomplete(watched, stored)) return []
  const lists = { stored, watched, told: renames, isInitialized }
  const gone = goneRows(lists)
  const complete = gone.length === 0 ? watched : await withStatus(session, watched, stored)
  const changes = compareLists({ ...lists, watched: complete })
  const kept = await findStillSelectable(session, changes)
  // Before anything is stored: a mailbox that seems to be removed may have been renamed.
  const faulty = [...kept, ...pathsWithoutStatus(watched, stored)]
  if (faulty.length > 0) session.onFaultyList?.(faulty)
  const removed = changes.removed.filter(({ path }) => !kept.has(path))
  const time = now().getTime()
  await storeList(session, { ...changes, removed }, complete, time)
  await markOtherKind(session, stored)
  return watchedMailboxes(complete, stored)
}

/** A list without mailboxes, or without the INBOX, is an error of the server. */
function isIncomplete({ selectable }: WatchedPaths, stored: readonly ListedRow[]): boolean {
  if (selectable.length === 0) return true
  const hasInbox = selectable.some(({ path }) => path === INBOX)
  return !hasInbox && stored.some(({ path }) => path === INBOX)
}

/** Listed mailboxes that had a status when they were read, and have none now, unlike others. */
function pathsWithoutStatus(
  { selectable }: WatchedPaths,
  stored: readonly ListedRow[]
): readonly string[] {
  const hasStatus = ({ status }: ListResponse) => status?.uidValidity !== undefined
  if (!selectable.some(hasStatus)) return []
  const known = new Set(stored.flatMap((row) => (row.uid_validity === '' ? [] : [row.path])))
  return selectable
    .filter((mailbox) => known.has(mailbox.path) && !hasStatus(mailbox))
    .map(({ path }) => path)
}

/** Renamed mailboxes are found by their status. */
async function withStatus(
  { client }: ChangeSession,
  { selectable, isWatched }: WatchedPaths,
  stored: readonly ListedRow[]
): Promise<WatchedPaths> {
  const known = new Set(stored.map(({ path }) => path))
  const complete: ListResponse[] = []
  for (const mailbox of selectable) {
    const { path, status } = mailbox
    if (known.has(path) || status?.uidValidity !== undefined) {
      complete.push(mailbox)
      continue
    }
    const snapshot = await openSnapshot(client, path).catch(ifRejected)
    complete.push(
      snapshot === undefined
        ? mailbox
        : {
            ...mailbox,
            status: {
              path,
              messages: snapshot.exists,
              uidNext: snapshot.uidNext,
              uidValidity: BigInt(snapshot.uidValidity)
            }
          }
    )
  }
  return { selectable: complete, isWatched }
}

/** Paths that can be selected although they are not listed. */
async function findStillSelectable(
  { client }: ChangeSession,
  { removed }: ListChanges
): Promise<ReadonlySet<string>> {
  const kept = new Set<string>()
  for (const { path, uid_validity } of removed) {
    const snapshot = await openSnapshot(client, path).catch(ifRejected)
    if (snapshot?.uidValidity === uid_validity) kept.add(path)
  }
  return kept
}

function ifRejected(error: unknown): undefined {
  if (error instanceof FolderNotFound || isRejected(error)) return undefined
  throw error
}

/** Indexes of the other kind are made anew, though the status of their mailboxes is the same. */
async function markOtherKind(session: ChangeSession, stored: readonly ListedRow[]): Promise<void> {
  const other = (await indexKindOf(session)) === 'full' ? 'fast' : 'full'
  const isOther = ({ details, messages }: ListedRow) =>
    messages !== UNKNOWN_MESSAGES && parseDetails(details).kind === other
  if (!stored.some(isOther)) return
  const paths = stored.filter(isOther).map(({ path }) => path)
  const { account, context } = session
  await context.kernel.database.write(function* () {
    yield* requireRevision(account)
    yield* markMailboxes(account.id, paths)
  })
}

/** Those with new messages first: a message that is moved is then known in its new mailbox. */
function watchedMailboxes(
  { selectable, isWatched }: WatchedPaths,
  stored: readonly ListedRow[]
): readonly ListResponse[] {
  const next = new Map(stored.map(({ path, uid_next }) => [path, uid_next]))
  const hasGrown = ({ path, status }: ListResponse) =>
    (status?.uidNext ?? 0) > (next.get(path) ?? 0)
  const watched = selectable.filter(isWatched)
  return [...watched.filter(hasGrown), ...watched.filter((mailbox) => !hasGrown(mailbox))]
}
