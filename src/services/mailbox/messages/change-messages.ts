import { normalizePath } from 'imapflow/lib/tools.js'
import type { Handler } from '../api/route.ts'
import { invalidInput, MessageNotFound } from '../contract.ts'
import { ALL_MAILBOXES } from './all-mailboxes.ts'
import { type Update, updateMessages } from './change-flags.ts'
import { messageOf } from './handlers.ts'
import { existsMessage } from './imap-commands.ts'
import type { MessageKey } from './message-id.ts'
import { idMapOf, moveTo } from './move-messages.ts'
import { type OpenMailbox, openMailbox, openMailboxOfMessage } from './open-mailbox.ts'
import { removeFrom } from './remove-messages.ts'
import { resolvePath } from './resolve-path.ts'
import type { SearchKeys } from './search-query.ts'
import { searchUids } from './search-uids.ts'
import { type MailSession, withSession } from './session.ts'

/** Messages that one request changes. */
const MAX_MESSAGES = 100_000

const changeMessage: Handler<unknown, Update> = async (context, request) => {
  const key = messageOf(request)
  return withSession(context, request, async (session) => {
    await openMessage(session, key)
    return updateMessages(session, [key.uid], request.body)
  })
}

const removeMessage: Handler<{ force?: boolean }> = async (context, request) => {
  const key = messageOf(request)
  return withSession(context, request, async (session) => {
    const mailbox = await openMessage(session, key)
    const removal = await removeFrom(session, mailbox, [key.uid], request.query.force === true)
    if (removal.deleted) return { deleted: true }
    const { destination, moved } = removal
    return { deleted: false, moved: { destination, message: moved.idOf(key.uid) } }
  })
}

const moveMessage: Handler<unknown, { path: string; source?: string }> = async (
  context,
  request
) => {
  const key = messageOf(request)
  return withSession(context, request, async (session) => {
    const { path, source } = request.body
    const destination = await wholePath(session, path)
    const mailbox = await openMessage(session, key)
    if (source !== undefined) await requireSource(session, mailbox, source)
    const moved = await moveTo(session, mailbox, [key.uid], destination)
    return { path: destination, id: moved.idOf(key.uid), uid: moved.uidOf(key.uid) }
  })
}

/** `source` is only a check: the id says where the message is. */
async function requireSource(
  session: MailSession,
  { path }: OpenMailbox,
  source: string
): Promise<void> {
  if ((await wholePath(session, source)) !== path) throw new MessageNotFound()
}

/** As the server spells it, with the prefix that all mailboxes of an account may have. */
async function wholePath({ client, hints }: MailSession, path: string): Promise<string> {
  return normalizePath(client, await resolvePath(client, hints, path))
}

interface Path {
  readonly path: string
}

const changeMessages: Handler<Path, { search: SearchKeys; update: Update }> = async (
  context,
  { body, query, ...request }
) =>
  withSession(context, request, async (session) => {
    const { uids } = await findMessages(session, query, body.search)
    return updateMessages(session, uids, body.update)
  })

const moveMany: Handler<Path, { search: SearchKeys; path: string }> = async (
  context,
  { body, query, ...request }
) =>
  withSession(context, request, async (session) => {
    const path = await wholePath(session, body.path)
    const { mailbox, uids } = await findMessages(session, query, body.search)
    if (uids.length === 0) return { path, idMap: [] }
    const moved = await moveTo(session, mailbox, uids, path)
    return { path, idMap: await idMapOf(session, mailbox, uids, moved) }
  })

const removeMany: Handler<Path & { force?: boolean }, { search: SearchKeys }> = async (
  context,
  { body, query, ...request }
) =>
  withSession(context, request, async (session) => {
    const { mailbox, uids } = await findMessages(session, query, body.search)
    if (uids.length === 0) return { deleted: false }
    const removal = await removeFrom(session, mailbox, uids, query.force === true)
    if (removal.deleted) return { deleted: true }
    const { destination, moved } = removal
    const idMap = await idMapOf(session, mailbox, uids, moved)
    return { deleted: false, moved: { destination, idMap } }
  })

async function openMessage(session: MailSession, key: MessageKey): Promise<OpenMailbox> {
  const { client } = session
  const mailbox = await openMailboxOfMessage(client, session, key, 'write')
  // Servers accept commands about messages that do not exist.
  if (await existsMessage(client, key.uid)) return mailbox
  // Servers report a message that has just arrived with the response to the next command.
  await client.noop()
  if (await existsMessage(client, key.uid)) return mailbox
  throw new MessageNotFound()
}

async function findMessages(
  { client, hints }: MailSession,
  { path }: Path,
  search: SearchKeys
): Promise<{ mailbox: OpenMailbox; uids: readonly number[] }> {
  if (path === ALL_MAILBOXES) {
    throw invalidInput([{ key: 'path', message: 'must be one mailbox; only searches take *' }])
  }
  const mailbox = await openMailbox(client, await resolvePath(client, hints, path), 'write')
  const uids = await searchUids(client, search)
  if (uids.length > MAX_MESSAGES) {
    const message = `finds more than ${MAX_MESSAGES} messages; narrow it, for example by uid`
    throw invalidInput([{ key: 'search', message }])
  }
  return { mailbox, uids }
}

export const changes = {
  changeMessage,
  removeMessage,
  moveMessage,
  changeMessages,
  moveMessages: moveMany,
  removeMessages: removeMany
} satisfies Record<string, Handler>
