import { type Caller, mayUse } from '../../api/access.ts'
import { messageIdOf } from '../../messages/message-id.ts'
import type { FoundMessage, MailStore } from '../mail-store.ts'
import { type Attachment, attachmentsOf } from '../message/attachments.ts'
import type { EnvelopeAddress, MailAddress } from '../message/facts.ts'
import { decodeAddresses, decodeHeaderText } from '../message/header-text.ts'
import { recipientAccount } from '../recipients.ts'

/** An entry of a list, with the names of EmailEngine; empty values are left out. */
export function presentEntry(message: FoundMessage) {
  const { contents, flags, internalDate } = message
  const { envelope, from, subject, sentAt } = contents
  return {
    id: messageIdOf(message),
    account: message.account,
    uid: message.uid,
    emailId: contents.id,
    threadId: contents.thread,
    path: message.mailboxName,
    date: new Date(sentAt ?? internalDate).toISOString(),
    received: new Date(message.savedAt).toISOString(),
    ...(!flags.includes('\\Seen') && { unseen: true }),
    ...(flags.includes('\\Flagged') && { flagged: true }),
    ...(flags.includes('\\Answered') && { answered: true }),
    ...(flags.includes('\\Draft') && { draft: true }),
    flags,
    size: message.size,
    subject,
    ...(from[0] !== undefined && { from: from[0] }),
    ...addresses('replyTo', envelope.replyTo),
    ...addresses('to', envelope.to),
    ...addresses('cc', envelope.cc),
    ...addresses('bcc', envelope.bcc),
    ...text('messageId', envelope.messageId),
    ...text('inReplyTo', envelope.inReplyTo),
    preview: contents.preview,
    attachments: attachmentsOf(contents.root).map(presentAttachment)
  }
}

function presentAttachment(attachment: Attachment) {
  const { name, id } = attachment
  return {
    id: attachment.number,
    contentType: attachment.type,
    encodedSize: attachment.encodedSize,
    embedded: attachment.isEmbedded,
    inline: attachment.isInline,
    ...(id !== undefined && { contentId: id }),
    ...(name !== undefined && { filename: name })
  }
}

function addresses(key: string, raw: readonly EnvelopeAddress[]): Record<string, object> {
  const decoded: readonly MailAddress[] = decodeAddresses(raw)
  return decoded.length === 0 ? {} : { [key]: decoded }
}

function text(key: string, raw: string | undefined): Record<string, string> {
  return raw === undefined ? {} : { [key]: decodeHeaderText(raw) }
}

/**
 * Sender and recipients that the SMTP server was told. Those of another account are left out,
 * because it may have got a blind copy.
 */
export async function presentEnvelope(
  store: MailStore,
  caller: Caller,
  { contents: { envelopeFrom, envelopeTo } }: FoundMessage
) {
  if (caller.accounts === undefined) return { from: envelopeFrom, to: envelopeTo }
  const caught = await store.caughtAccount()
  const owners = await Promise.all(envelopeTo.map((to) => recipientAccount(store, to)))
  const to = envelopeTo.filter((_, index) => mayUse(caller, owners[index] ?? caught.id))
  return { from: envelopeFrom, to }
}
