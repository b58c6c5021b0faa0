import { MessageNotFound } from '../contract.ts'
import { withoutEmpty } from './entry.ts'
import { fetchUid } from './fetch.ts'
import { describeMailbox, ENTRY_QUERY } from './fetch-entries.ts'
import { detailsOf } from './message-details.ts'
import type { MessageKey } from './message-id.ts'
import { openMailboxOfMessage } from './open-mailbox.ts'
import { type PrepareOptions, prepareHtml, typesToRead } from './prepare-html.ts'
import { MAX_HEADER_BYTES } from './read-headers.ts'
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
  const described = await describeMailbox(session, mailbox)
  const { entry, shown, headers } = detailsOf(message, described)
  const parts = partsOf(message.bodyStructure)
  const textType = typesToRead(query, query.textType)
  const texts = textType && (await readTexts(client, uid, parts, { ...query, textType }))
  const prepared = texts && (await prepareHtml(session, uid, { texts, parts, query }))
  return withoutEmpty({
    ...shown,
    specialUse: described.specialUse,
    headers,
    text: entry.text && { ...entry.text, ...prepared }
  })
}
