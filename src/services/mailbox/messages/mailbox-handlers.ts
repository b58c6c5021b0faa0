import type { ListResponse } from 'imapflow'
import type { Handler } from '../api/route.ts'
import { invalidInput } from '../contract.ts'
import { STATUS_MISSING, SubscriptionRejected } from './contract.ts'
import { withoutEmpty } from './entry.ts'
import { foldersOf, forgetFolders, isSelectable, listFolders } from './folders.ts'
import { asFolderNotFound, asRenameFailed } from './rejected-command.ts'
import { resolvePath } from './resolve-path.ts'
import { type MailSession, withSession } from './session.ts'

export interface NewMailbox {
  /** Levels of the hierarchy, or one path. */
  readonly path: readonly string[]
}

export interface MailboxChange {
  readonly path: string
  readonly newPath?: readonly string[]
  readonly subscribed?: boolean
}

const INBOX = 'INBOX'

const listMailboxes: Handler<{ counters?: boolean }> = (context, request) =>
  withSession(context, request, async ({ client, hints }) => {
    const counters = request.query.counters === true
    // Without the extension a command for each mailbox would be needed.
    const isCheap = client.capabilities.has('LIST-STATUS')
    const items = { messages: true, uidNext: true, ...(counters && { unseen: true }) }
    const folders = await listFolders(client, hints, counters || isCheap ? items : undefined)
    return { mailboxes: folders.map((folder) => describeFolder(folder, counters)) }
  })

export function describeFolder(folder: ListResponse, counters: boolean): object {
  const { status } = folder
  return {
    path: folder.path,
    delimiter: folder.delimiter ?? null,
    parentPath: folder.parentPath,
    name: folder.name,
    listed: folder.listed,
    subscribed: folder.subscribed === true,
    ...(!isSelectable(folder) && { noSelect: true }),
    ...(folder.flags.has('\\Noinferiors') && { noInferiors: true }),
    ...(folder.specialUse !== undefined && {
      specialUse: folder.specialUse,
      specialUseSource: folder.specialUseSource
    }),
    messages: status?.messages ?? false,
    uidNext: status?.uidNext ?? false,
    ...(counters && isSelectable(folder) && { status: statusOf(folder) })
  }
}

function statusOf({ status }: ListResponse): object {
  if (status?.messages === undefined) return { error: STATUS_MISSING }
  return withoutEmpty({ messages: status.messages, unseen: status.unseen })
}

const addMailbox: Handler<unknown, NewMailbox> = (context, request) =>
  withSession(context, request, async ({ client }) => {
    const { path, mailboxId, created } = await client.mailboxCreate([...request.body.path])
    forgetFolders(client)
    return withoutEmpty({ path, mailboxId, created: created === true })
  })

const changeMailbox: Handler<unknown, MailboxChange> = (context, request) => {
  const { path, newPath, subscribed } = request.body
  if (newPath === undefined && subscribed === undefined) {
    throw invalidInput([{ key: 'newPath', message: 'is required without subscribed' }])
  }
  return withSession(context, request, async (session) => {
    const current = await resolvePath(session.client, session.hints, path)
    const renamed = newPath && (await rename(session, current, newPath))
    const changed = renamed ?? current
    if (subscribed !== undefined) await subscribe(session, changed, subscribed)
    forgetFolders(session.client)
    return withoutEmpty({
      path: current,
      newPath: renamed,
      renamed: newPath === undefined ? undefined : true,
      subscribed
    })
  })
}

/** The subscription moves too, which most servers leave at the old name. */
async function rename(
  { client, hints }: MailSession,
  path: string,
  newPath: readonly string[]
): Promise<string> {
  const folders = await foldersOf(client, hints)
  const wasSubscribed = folders.some((one) => one.path === path && one.subscribed)
  const renamed = await client.mailboxRename(path, [...newPath]).catch(asRenameFailed)
  if (wasSubscribed) {
    await client.mailboxSubscribe(renamed.newPath)
    if (renamed.path !== INBOX) await client.mailboxUnsubscribe(renamed.path)
  }
  return renamed.newPath
}

async function subscribe(
  { client }: MailSession,
  path: string,
  subscribed: boolean
): Promise<void> {
  const isDone = subscribed
    ? await client.mailboxSubscribe(path)
    : await client.mailboxUnsubscribe(path)
  if (!isDone) throw new SubscriptionRejected()
}

const removeMailbox: Handler<{ path: string }> = (context, request) =>
  withSession(context, request, async ({ client, hints }) => {
    const path = await resolvePath(client, hints, request.query.path)
    const removed = await client.mailboxDelete(path).catch(asFolderNotFound)
    forgetFolders(client)
    return { path: removed.path, deleted: true }
  })

export const mailboxHandlers = { listMailboxes, addMailbox, changeMailbox, removeMailbox }
