import { MessageNotFound } from '../contract.ts'
import { addressesOf, entryOf, withoutEmpty } from './entry.ts'
import { fetchUid } from './fetch.ts'
import { describeMailbox, ENTRY_QUERY } from './fetch-entries.ts'
import type { MessageKey } from './message-id.ts'
import { openMailboxOfMessage } from './open-mailbox.ts'
import { type PrepareOptions, prepareHtml, typesToRead } from './prepare-html.ts'
import { headersOf, isAutoReply, MAX_HEADER_BYTES } from './read-headers.ts'
import { readTexts, type TextType } from './read-texts.ts'
import type { MailSession } from './session.ts'
import { partsOf } from './structure.ts'

export interface MessageQuery extends PrepareOptions {
  readonly textType?: TextType
  readonly maxBytes?: number
  readonly markAsSeen?: boolean
}

const MESSAGE_QUERY = {
  ...ENTRY_QUERY,
  bodyParts: [{ key: 'HEADER', maxLength: MAX_HEADER_BYTES }]
}

/** A message with its header and, if wanted, its texts. */
export async function showMessage(
  session: MailSession,
  key: MessageKey,
  query: MessageQuery
): Promise<object> {
  const { client } = session
  const access = query.markAsSeen === true ? 'write' : 'read'
  const mailbox = await openMailboxOfMessage(client, session, key, access)
  const { uid } = key
  if (query.markAsSeen === true) await client.messageFlagsAdd(uid, ['\\Seen'], { uid: true })
  const message = await fetchUid(client, uid, MESSAGE_QUERY)
  if (message === undefined) throw new MessageNotFound()
  const { headers, envelope = {} } = message
  const described = await describeMailbox(session, mailbox)
  const entry = entryOf(message, described)
  const parts = partsOf(message.bodyStructure)
  const textType = typesToRead(query, query.textType)
  const texts = textType && (await readTexts(client, uid, parts, { ...query, textType }))
  const prepared = texts && (await prepareHtml(session, uid, { texts, parts, query }))
  const fields = headersOf(headers ?? Buffer.alloc(0))
  const [sender] = addressesOf(envelope.sender) ?? []
  return withoutEmpty({
    ...entry,
    specialUse: described.specialUse,
    sender: sender?.address === entry.from?.address ? undefined : sender,
    bcc: addressesOf(envelope.bcc),
    isAutoReply: isAutoReply(fields) || undefined,
    headers: fields,
    text: entry.text && { ...entry.text, ...prepared }
  })
}
