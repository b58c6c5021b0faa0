import type { SettingValues } from '../control/setting-store.ts'
import { readPart } from '../messages/download.ts'
import type { AttachmentEntry, TextEntry } from '../messages/entry.ts'
import { prepareHtml } from '../messages/prepare-html.ts'
import { readTexts } from '../messages/read-texts.ts'
import type { MailSession } from '../messages/session.ts'
import type { MessageLeaf, MessageParts } from '../messages/structure.ts'

/** Of all attachments of a message, decoded; those for which too little is left have no content. */
export const MAX_ATTACHED_BYTES = 10 * 1024 * 1024

/** Settings that say what of a message is part of its event. */
export type ContentRules = Pick<
  SettingValues,
  | 'notifyText'
  | 'notifyTextSize'
  | 'notifyWebSafeHtml'
  | 'notifyAttachments'
  | 'notifyAttachmentSize'
>

/** The texts of a message of the selected mailbox. */
export async function withTexts(
  session: MailSession,
  uid: number,
  { text, parts }: { readonly text: TextEntry; readonly parts: MessageParts },
  { notifyTextSize, notifyWebSafeHtml }: ContentRules
): Promise<object> {
  const texts = await readTexts(session.client, uid, parts, {
    textType: '*',
    maxBytes: notifyTextSize
  })
  const query = { webSafeHtml: notifyWebSafeHtml }
  return { ...text, ...(await prepareHtml(session, uid, { texts, parts, query })) }
}

/** Attachments of a message of the selected mailbox, with the content of those that are small. */
export async function withContents(
  { client }: Pick<MailSession, 'client'>,
  uid: number,
  { attachments, leaves }: AttachedParts,
  { notifyAttachmentSize }: ContentRules
): Promise<readonly object[]> {
  const shown: object[] = []
  let left = MAX_ATTACHED_BYTES
  for (const [index, attachment] of attachments.entries()) {
    const leaf = leaves[index]
    const most = Math.min(notifyAttachmentSize, left)
    const content = leaf && isSmall(leaf, most) && (await readPart(client, uid, leaf, most))
    if (!content) shown.push(attachment)
    else {
      left -= content.length
      shown.push({ ...attachment, encoding: 'base64', content: content.toString('base64') })
    }
  }
  return shown
}

interface AttachedParts {
  readonly attachments: readonly AttachmentEntry[]
  /** In the same order. */
  readonly leaves: readonly MessageLeaf[]
}

/** Base64 is a third longer; sizes of other encodings are those of the content or more. */
function isSmall({ size, encoding }: MessageLeaf, most: number): boolean {
  return encoding === 'base64' ? size * 0.7 <= most : size / 3 <= most
}
