import type { FetchMessageObject } from 'imapflow'
import type { ChangeSession } from '../changes/change-session.ts'
import type { MailboxContext } from '../context.ts'
import type { SettingValues } from '../control/setting-store.ts'
import { withoutEmpty } from '../messages/entry.ts'
import { fetchUids } from '../messages/fetch.ts'
import { describeMailbox, ENTRY_QUERY } from '../messages/fetch-entries.ts'
import { detailsOf, type MessageDetails } from '../messages/message-details.ts'
import type { OpenMailbox } from '../messages/open-mailbox.ts'
import type { HeaderMap } from '../messages/read-headers.ts'
import type { MailSession } from '../messages/session.ts'
import { partsOf } from '../messages/structure.ts'
import { readMessageHistory } from '../store/events.ts'
import { withContents, withTexts } from './message-contents.ts'
import { messageKeyOf } from './message-key.ts'
import { seemsLikeNew } from './seems-like-new.ts'

/** A message that arrived. */
export interface NewMessage {
  /** `data` of its event. */
  readonly data: object
  /** ISO 8601, of its arrival; of its header if the server does not say it. */
  readonly date: string | undefined
  readonly messageId: string | undefined
  readonly size: number
  readonly emailId: string | undefined
}

const AT_ONCE = 50
/** Their texts and attachments are in memory together. */
const AT_ONCE_WITH_CONTENT = 5
/** Of one message; the rest is left out. */
const MAX_HEADER_BYTES = 64 * 1024
const ALL_HEADERS = '*'
const QUERY = { ...ENTRY_QUERY, bodyParts: [{ key: 'HEADER', maxLength: MAX_HEADER_BYTES }] }

/** How many new messages may be read and stored in one step. */
export async function newMessagesAtOnce({
  settings
}: Pick<MailboxContext, 'settings'>): Promise<number> {
  const { notifyText, notifyAttachments } = await (await settings()).read()
  return notifyText || notifyAttachments ? AT_ONCE_WITH_CONTENT : AT_ONCE
}

/** Reads messages of the selected mailbox by UID; those that are gone are left out. */
export async function readNewMessages(
  { client, account, hints, signal, context }: ChangeSession,
  mailbox: OpenMailbox,
  uids: readonly number[]
): Promise<ReadonlyMap<number, NewMessage>> {
  const { database } = context.kernel
  const session = { client, account: account.id, database, hints, signal }
  const settings = await (await context.settings()).read()
  const described = await describeMailbox(session, mailbox)
  const messages = (await fetchUids(client, uids, QUERY)).toSorted((a, b) => a.uid - b.uid)
  const details = messages.map((message) => detailsOf(message, described))
  const known = await readKnown(session, mailbox.path, details)
  const found = new Map<number, NewMessage>()
  for (const [index, message] of messages.entries()) {
    const one = details[index]
    if (one === undefined) continue
    const { entry } = one
    const arrivedAt = arrivalOf(message)
    const isNew = seemsLikeNew({ entry, arrivedAt, ...known.of(entry) })
    const data = { ...(await dataOf(session, message, one, settings)), seemsLikeNew: isNew }
    found.set(message.uid, {
      data,
      date: arrivedAt === undefined ? entry.date : new Date(arrivedAt).toISOString(),
      messageId: entry.messageId,
      size: entry.size,
      emailId: entry.emailId
    })
  }
  return found
}

function arrivalOf({ internalDate }: FetchMessageObject): number | undefined {
  const time = internalDate === undefined ? Number.NaN : new Date(internalDate).getTime()
  return Number.isFinite(time) ? time : undefined
}

/** What is stored about earlier messages. The second copy of a message in a step is known, too. */
async function readKnown(
  { database, account }: MailSession,
  path: string,
  details: readonly MessageDetails[]
) {
  const keys = details.flatMap(({ entry }) => messageKeyOf(entry) ?? [])
  const stored = await database.read(() => readMessageHistory(account, path, keys))
  const seen = new Set(stored.keys)
  return {
    of(entry: MessageDetails['entry']) {
      const key = messageKeyOf(entry)
      const isKnown = key !== undefined && seen.has(key)
      if (key !== undefined) seen.add(key)
      return { isKnown, comparedAt: stored.comparedAt }
    }
  }
}

async function dataOf(
  session: MailSession,
  message: FetchMessageObject,
  { shown, headers }: MessageDetails,
  settings: SettingValues
): Promise<object> {
  return withoutEmpty({
    ...shown,
    headers: selectHeaders(headers, settings.notifyHeaders),
    relatedMessageId: shown.isAutoReply === true ? shown.inReplyTo : undefined,
    ...(await readContents(session, message, shown, settings))
  })
}

function selectHeaders(headers: HeaderMap, names: readonly string[]): HeaderMap | undefined {
  if (names.includes(ALL_HEADERS)) return headers
  const selected = Object.entries(headers).filter(([name]) => names.includes(name))
  return names.length === 0 ? undefined : Object.fromEntries(selected)
}

/** An error of one message leaves its content out, unless the connection is lost. */
async function readContents(
  session: MailSession,
  { uid, bodyStructure }: FetchMessageObject,
  { text, attachments }: MessageDetails['shown'],
  settings: SettingValues
): Promise<object> {
  const { notifyText, notifyAttachments } = settings
  const parts = partsOf(bodyStructure)
  try {
    const contents = {
      text: notifyText && text && (await withTexts(session, uid, { text, parts }, settings)),
      attachments:
        notifyAttachments &&
        attachments &&
        (await withContents(session, uid, { attachments, leaves: parts.attachments }, settings))
    }
    return Object.fromEntries(Object.entries(contents).filter(([, value]) => value))
  } catch (error) {
    if (!session.client.usable || session.signal.aborted) throw error
    return {}
  }
}
