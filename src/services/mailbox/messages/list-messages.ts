import { pageCursor, parsePageCursor } from './cursor.ts'
import type { MessageEntry } from './entry.ts'
import { entriesBySequence, entriesByUid } from './fetch-entries.ts'
import { openMailbox } from './open-mailbox.ts'
import { resolvePath } from './resolve-path.ts'
import type { SearchKeys } from './search-query.ts'
import { searchUids } from './search-uids.ts'
import type { MailSession } from './session.ts'

export interface ListQuery {
  readonly path: string
  readonly cursor?: string
  readonly page: number
  readonly pageSize: number
}

export interface MessageList {
  readonly total: number
  readonly page: number
  readonly pages: number
  readonly nextPageCursor: string | null
  readonly prevPageCursor: string | null
  readonly messages: readonly MessageEntry[]
}

/** A page of a mailbox, the newest messages first; with `keys` of those that match. */
export async function listMailbox(
  session: MailSession,
  query: ListQuery,
  keys?: SearchKeys
): Promise<MessageList> {
  const { client, hints } = session
  const page = query.cursor === undefined ? query.page : parsePageCursor(query.cursor)
  const path = await resolvePath(client, hints, query.path)
  const mailbox = await openMailbox(client, path, 'read')
  const isAll = keys === undefined || Object.keys(keys).length === 0
  const uids = isAll ? undefined : await searchUids(client, keys)
  const total = uids?.length ?? mailbox.exists
  // Sequence numbers and found UIDs both grow with the age of a message.
  const last = total - page * query.pageSize
  const first = Math.max(0, last - query.pageSize)
  const messages =
    last <= 0
      ? []
      : uids === undefined
        ? await entriesBySequence(session, mailbox, [first + 1, last])
        : await entriesByUid(session, mailbox, uids.slice(first, last))
  return listOf(messages, { total, page, pageSize: query.pageSize })
}

function listOf(
  messages: readonly MessageEntry[],
  { total, page, pageSize }: { total: number; page: number; pageSize: number }
): MessageList {
  const pages = Math.ceil(total / pageSize)
  return {
    total,
    page,
    pages,
    nextPageCursor: page + 1 < pages ? pageCursor(page + 1) : null,
    prevPageCursor: page > 0 ? pageCursor(Math.min(page - 1, Math.max(0, pages - 1))) : null,
    messages
  }
}
