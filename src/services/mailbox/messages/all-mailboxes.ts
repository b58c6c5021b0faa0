import { invalidInput } from '../contract.ts'
import { type AllPosition, allCursor, parseAllCursor } from './all-cursor.ts'
import { FolderNotFound, UnsupportedSearchTerm } from './contract.ts'
import type { MessageEntry } from './entry.ts'
import { entriesByUid } from './fetch-entries.ts'
import { findCopies } from './find-copies.ts'
import type { ListQuery, MessageList } from './list-messages.ts'
import { type MergedPage, mergeStreams } from './merge-streams.ts'
import { openMailbox } from './open-mailbox.ts'
import { type MailboxStream, readStream, type StreamOptions } from './read-stream.ts'
import { messageOfRejected } from './rejected-command.ts'
import { checkForAllMailboxes, type SearchKeys } from './search-query.ts'
import {
  type IncompleteMailbox,
  mailboxesToSearch,
  type SearchedMailboxes
} from './searched-mailboxes.ts'
import type { MailSession } from './session.ts'

/** The path that stands for all mailboxes. */
export const ALL_MAILBOXES = '*'

export interface AllMessageList extends MessageList {
  readonly incomplete: readonly IncompleteMailbox[]
}

/** Pages that have only copies are skipped, so many at most. */
const MAX_EMPTY_PAGES = 20

/**
 * A page of all mailboxes, the newest arrivals first. Mailboxes that fail are named in the result.
 * `total` is the larger of what `\All` and all others have, if there is such a mailbox.
 */
export async function listAllMailboxes(
  session: MailSession,
  query: ListQuery,
  keys: SearchKeys = {}
): Promise<AllMessageList> {
  checkForAllMailboxes(keys)
  const position = positionOf(query)
  const mailboxes = await mailboxesToSearch(session)
  const search = {
    keys: Object.keys(keys).length === 0 ? undefined : keys,
    most: query.pageSize,
    needsIdentity: mailboxes.all !== undefined
  }
  let result = await readPage(session, mailboxes, position, search)
  for (let round = 0; round < MAX_EMPTY_PAGES; round++) {
    if (result.messages.length > 0 || result.next === undefined) break
    result = await readPage(session, mailboxes, { ...result.next, page: position.page }, search)
  }
  const { total, next, messages, incomplete } = result
  return {
    total,
    page: position.page,
    pages: Math.ceil(total / query.pageSize),
    nextPageCursor: next === undefined ? null : allCursor(next),
    // Clients remember the cursors of earlier pages.
    prevPageCursor: null,
    messages,
    incomplete
  }
}

type SearchOptions = Pick<StreamOptions, 'keys' | 'most' | 'needsIdentity'>

async function readPage(
  session: MailSession,
  mailboxes: SearchedMailboxes,
  position: AllPosition,
  search: SearchOptions
) {
  const incomplete = [...mailboxes.incomplete]
  const options = { ...search, bounds: position.bounds }
  const streams = await readStreams(session, mailboxes.others, options, incomplete)
  let total = streams.reduce((sum, stream) => sum + stream.total, 0)
  if (mailboxes.all !== undefined) {
    const all = await readAll(session, mailboxes.all, streams, { options, incomplete })
    if (all !== undefined) streams.push(all)
    total = Math.max(total, all?.total ?? 0)
  }
  const merged = mergeStreams(streams, search.most)
  const messages = await fetchChosen(session, merged, incomplete)
  return { total, next: nextPosition(position, streams, merged), messages, incomplete }
}

function positionOf({ cursor, page }: ListQuery): AllPosition {
  if (cursor !== undefined) return parseAllCursor(cursor)
  if (page === 0) return { page: 0, bounds: new Map() }
  throw invalidInput([{ key: 'page', message: 'must be 0 with path=*; use nextPageCursor' }])
}

type ReadOptions = Omit<StreamOptions, 'path'>

async function readStreams(
  session: MailSession,
  paths: readonly string[],
  options: ReadOptions,
  incomplete: IncompleteMailbox[]
): Promise<MailboxStream[]> {
  const streams: MailboxStream[] = []
  for (const path of paths) {
    session.signal.throwIfAborted()
    const stream = await orIncomplete(path, incomplete, () =>
      readStream(session, { ...options, path })
    )
    if (stream !== undefined) streams.push(stream)
  }
  return streams
}

async function readAll(
  session: MailSession,
  path: string,
  others: readonly MailboxStream[],
  { options, incomplete }: { options: ReadOptions; incomplete: IncompleteMailbox[] }
): Promise<MailboxStream | undefined> {
  return orIncomplete(path, incomplete, async () => {
    const stream = await readStream(session, { ...options, path })
    return { ...stream, copies: await findCopies(session, stream.candidates, others) }
  })
}

/** Rejections of one mailbox do not end the request; a lost connection does. */
async function orIncomplete<T>(
  path: string,
  incomplete: IncompleteMailbox[],
  read: () => Promise<T>
): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    const message =
      error instanceof FolderNotFound || error instanceof UnsupportedSearchTerm
        ? error.message
        : messageOfRejected(error)
    if (message === undefined) throw error
    incomplete.push({ path, error: message })
    return undefined
  }
}

/** Undefined after the last page. */
function nextPosition(
  { page, bounds }: AllPosition,
  streams: readonly MailboxStream[],
  { used }: MergedPage<MailboxStream>
): AllPosition | undefined {
  const next = new Map(bounds)
  let hasMore = false
  for (const stream of streams) {
    const count = used.get(stream) ?? 0
    next.set(stream.number, stream.candidates[count - 1]?.uid ?? stream.bound)
    hasMore ||= stream.left > count
  }
  return hasMore ? { page: page + 1, bounds: next } : undefined
}

async function fetchChosen(
  session: MailSession,
  { chosen }: MergedPage<MailboxStream>,
  incomplete: IncompleteMailbox[]
): Promise<readonly MessageEntry[]> {
  const entries = new Map<MailboxStream, ReadonlyMap<number, MessageEntry>>()
  for (const [stream, group] of Map.groupBy(chosen, (one) => one.stream)) {
    session.signal.throwIfAborted()
    const uids = group.map(({ uid }) => uid)
    const found = await orIncomplete(stream.mailbox.path, incomplete, () =>
      fetchFrom(session, stream, uids)
    )
    entries.set(stream, new Map(found?.map((entry) => [entry.uid, entry])))
  }
  return chosen.flatMap(({ stream, uid }) => entries.get(stream)?.get(uid) ?? [])
}

async function fetchFrom(
  session: MailSession,
  { mailbox }: MailboxStream,
  uids: readonly number[]
): Promise<readonly MessageEntry[]> {
  const { client } = session
  const isOpen = client.mailbox && client.mailbox.path === mailbox.path
  const opened = isOpen ? mailbox : await openMailbox(client, mailbox.path, 'read')
  if (opened.uidValidity !== mailbox.uidValidity) throw new FolderNotFound()
  return entriesByUid(session, mailbox, uids)
}
