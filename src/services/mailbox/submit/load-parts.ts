import type { AttachmentInput } from '../api/schemas/compose.ts'
import { AttachmentNotFound, invalidInput, MessageNotFound } from '../contract.ts'
import { parseAttachmentId } from '../messages/content-ids.ts'
import { type DownloadSource, readChunks } from '../messages/download.ts'
import { openMailboxOfMessage } from '../messages/open-mailbox.ts'
import type { MailSession } from '../messages/session.ts'
import { findLeaf, type MessageLeaf, parameterOf } from '../messages/structure.ts'
import { createTransferDecoder } from '../sandbox/message/transfer-decoding.ts'
import type { ComposedAttachment } from './compose.ts'
import { MAX_MESSAGE_BYTES } from './prepare-message.ts'

/** Parts of messages of the selected mailbox, with all their bytes. */
export async function loadParts(
  { client }: Pick<MailSession, 'client'>,
  uid: number,
  leaves: readonly MessageLeaf[]
): Promise<readonly ComposedAttachment[]> {
  const loaded: ComposedAttachment[] = []
  let size = 0
  for (const leaf of leaves) {
    const pieces: Buffer[] = []
    const decoder = createTransferDecoder(leaf.encoding)
    const { number } = leaf
    const source: DownloadSource = {
      ...{ client, uid, size: leaf.size },
      query: (start, maxLength) => ({ bodyParts: [{ key: number, start, maxLength }] }),
      contentOf: ({ bodyParts }) => bodyParts?.get(number)
    }
    for await (const chunk of readChunks(source)) {
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
  const { type, parameters, filename, contentId, disposition } = leaf
  const cid = contentId?.replace(/^<|>$/g, '')
  const charset = parameterOf(parameters, 'charset')
  const isNamed = charset !== undefined && /^[\w.:+-]{1,60}$/.test(charset)
  return {
    content,
    contentType: isNamed ? `${type}; charset=${charset}` : type,
    filename,
    contentDisposition: disposition === 'inline' ? 'inline' : undefined,
    cid: cid === undefined || !/^[^\s<>]+$/.test(cid) ? undefined : cid
  }
}

/** An attachment of any message of the account; the request may give it another name or type. */
export async function loadReferenced(
  session: MailSession,
  { reference = '', filename, contentType, contentDisposition, cid }: AttachmentInput
): Promise<ComposedAttachment> {
  const key = parseAttachmentId(reference)
  if (key === undefined) throw new AttachmentNotFound()
  const { client } = session
  await openMailboxOfMessage(client, session, key, 'read')
  const { uid } = key
  const message = await client.fetchOne(uid, { uid: true, bodyStructure: true }, { uid: true })
  if (!message || message.uid !== uid) throw new MessageNotFound()
  const leaf = findLeaf(message.bodyStructure, key.number)
  if (leaf === undefined) throw new AttachmentNotFound()
  const [loaded] = await loadParts(session, uid, [leaf])
  if (loaded === undefined) throw new AttachmentNotFound()
  return {
    content: loaded.content,
    filename: filename ?? loaded.filename,
    contentType: contentType ?? loaded.contentType,
    contentDisposition,
    cid
  }
}

function tooLarge(): Error {
  const message = `are larger than ${MAX_MESSAGE_BYTES} bytes together`
  return invalidInput([{ key: 'attachments', message }])
}
