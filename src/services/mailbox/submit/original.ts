import type { MailAddressInput } from '../api/schemas/compose.ts'
import { MessageNotFound } from '../contract.ts'
import { addressesOf } from '../messages/entry.ts'
import { fetchUid } from '../messages/fetch.ts'
import { type MessageKey, parseMessageId } from '../messages/message-id.ts'
import { openMailboxOfMessage } from '../messages/open-mailbox.ts'
import { MAX_HEADER_BYTES } from '../messages/read-headers.ts'
import { type MessageTexts, readTexts } from '../messages/read-texts.ts'
import type { MailSession } from '../messages/session.ts'
import { type MessageParts, partsOf } from '../messages/structure.ts'
import { fieldValues, parseHeader } from '../sandbox/message/header.ts'
import { inAngleBrackets } from './compose.ts'
import { ReferenceNotFound } from './contract.ts'
import { messageIdsIn, referencesOf } from './message-ids.ts'

/** A message that is replied to or forwarded. */
export interface Original {
  readonly uid: number
  readonly messageId: string | undefined
  readonly references: readonly string[]
  readonly from: readonly MailAddressInput[]
  readonly replyTo: readonly MailAddressInput[]
  readonly to: readonly MailAddressInput[]
  readonly cc: readonly MailAddressInput[]
  readonly subject: string
  readonly date: Date | undefined
  readonly parts: MessageParts
  /** Empty unless they are wanted. */
  readonly texts: Partial<MessageTexts>
}

/** Its mailbox stays selected. Throws `ReferenceNotFound`. */
export async function loadOriginal(
  session: MailSession,
  { message: id, messageId: wantedId }: { readonly message: string; readonly messageId?: string },
  { withTexts }: { readonly withTexts: boolean }
): Promise<Original> {
  const key = parseMessageId(id)
  if (key === undefined) throw new ReferenceNotFound()
  await openMailboxOfOriginal(session, key)
  const { client } = session
  const { uid } = key
  const message = await fetchUid(client, uid, {
    envelope: true,
    internalDate: true,
    bodyStructure: true,
    bodyParts: [{ key: 'HEADER', maxLength: MAX_HEADER_BYTES }]
  })
  if (message === undefined) throw new ReferenceNotFound()
  const { envelope = {}, headers, internalDate } = message
  const fields = parseHeader(headers ?? Buffer.alloc(0))
  const idsOf = (name: string) => fieldValues(fields, name).flatMap(messageIdsIn)
  const [messageId] = idsOf('message-id')
  if (wantedId !== undefined && inAngleBrackets(wantedId) !== messageId) {
    throw new ReferenceNotFound()
  }
  const parts = partsOf(message.bodyStructure)
  const date = new Date(envelope.date ?? internalDate ?? Number.NaN)
  return {
    uid,
    messageId,
    references: referencesOf(idsOf('references'), idsOf('in-reply-to'), messageId),
    from: addressesOf(envelope.from) ?? [],
    replyTo: addressesOf(envelope.replyTo) ?? [],
    to: addressesOf(envelope.to) ?? [],
    cc: addressesOf(envelope.cc) ?? [],
    subject: envelope.subject ?? '',
    date: Number.isNaN(date.getTime()) ? undefined : date,
    parts,
    texts: withTexts ? await readTexts(client, uid, parts, { textType: '*' }) : {}
  }
}

async function openMailboxOfOriginal(session: MailSession, key: MessageKey): Promise<void> {
  try {
    await openMailboxOfMessage(session.client, session, key, 'read')
  } catch (error) {
    throw error instanceof MessageNotFound ? new ReferenceNotFound() : error
  }
}
