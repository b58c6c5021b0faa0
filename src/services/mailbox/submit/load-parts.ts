import type { AttachmentInput } from '../api/schemas/compose.ts'
import { AttachmentNotFound, invalidInput, MessageNotFound } from '../contract.ts'
import { parseAttachmentId } from '../messages/content-ids.ts'
import { type DownloadSource, partSource, readChunks } from '../messages/download.ts'
import { fetchUid } from '../messages/fetch.ts'
import { openMailboxOfMessage } from '../messages/open-mailbox.ts'
import type { MailSession } from '../messages/session.ts'
import { bareContentId, charsetOf, findLeaf, type MessageLeaf } from '../messages/structure.ts'
import { createTransferDecoder } from '../sandbox/message/transfer-decoding.ts'
import type { ComposedAttachment } from './compose.ts'
import { MAX_MESSAGE_BYTES } from './prepare-message.ts'

/**
 * Parts of messages of the selected mailbox, with all their bytes. `used` are the bytes of what the
 * message has already, so that no more is in memory than a message can have.
 */
export async function loadParts(
  { client }: Pick<DownloadSource, 'client'>,
  uid: number,
  leaves: readonly MessageLeaf[],
  used: number
): Promise<readonly ComposedAttachment[]> {
  const loaded: ComposedAttachment[] = []
  let size = used
  for (const leaf of leaves) {
    const pieces: Buffer[] = []
    const decoder = createTransferDecoder(leaf.encoding)
    for await (const chunk of readChunks(partSource(client, uid, leaf))) {
      const bytes = decoder.write(chunk)
      size += bytes.length
      if (size > MAX_MESSAGE_BYTES) throw tooLarge()
      pieces.push(bytes)
    }
    loaded.push(attachmentOf(leaf, Buffer.concat([...pieces, decoder.end()])))
  }
  return loaded
}

function attachmentOf(leaf: MessageLeaf, content: Buffer): ComposedAttachment {
  const { type, filename, disposition } = leaf
  const cid = bareContentId(leaf)
  const charset = charsetOf(leaf)
  return {
    content,
    contentType: charset === undefined ? type : `${type}; charset=${charset}`,
    filename,
    contentDisposition: disposition === 'inline' ? 'inline' : undefined,
    cid: cid === undefined || !/^[^\s<>]+$/.test(cid) ? undefined : cid
  }
}

/** An attachment of any message of the account; the request may give it another name or type. */
export async function loadReferenced(
  session: MailSession,
  { reference = '', filename, contentType, contentDisposition, cid }: AttachmentInput,
  used: number
): Promise<ComposedAttachment> {
  const key = parseAttachmentId(reference)
  if (key === undefined) throw new AttachmentNotFound()
  const { client } = session
  await openMailboxOfMessage(client, session, key, 'read')
  const { uid } = key
  const message = await fetchUid(client, uid, { bodyStructure: true })
  if (message === undefined) throw new MessageNotFound()
  const leaf = findLeaf(message.bodyStructure, key.number)
  if (leaf === undefined) throw new AttachmentNotFound()
  const [loaded] = await loadParts(session, uid, [leaf], used)
  if (loaded === undefined) throw new AttachmentNotFound()
  return {
    content: loaded.content,
    filename: filename ?? loaded.filename,
    contentType: contentType ?? loaded.contentType,
    contentDisposition,
    cid
  }
}

export function sizeOf(attachments: readonly ComposedAttachment[]): number {
  return attachments.reduce((sum, { content }) => sum + content.length, 0)
}

function tooLarge(): Error {
  const message = `are larger than ${MAX_MESSAGE_BYTES} bytes together`
  return invalidInput([{ key: 'attachments', message }])
}
