import { attachmentDisposition } from '../../../kernel/content-disposition.ts'
import { type ApiRequest, SENT } from '../api/route.ts'
import type { MailboxContext } from '../context.ts'
import { AttachmentNotFound, DOWNLOAD_HEADERS, MESSAGE_TYPE, MessageNotFound } from '../contract.ts'
import { createTransferDecoder } from '../sandbox/message/transfer-decoding.ts'
import type { PartKey } from './content-ids.ts'
import { DownloadTooLarge } from './contract.ts'
import {
  type DownloadSource,
  MAX_DOWNLOAD_BYTES,
  messageSource,
  partSource,
  sendChunks
} from './download.ts'
import { fetchUid } from './fetch.ts'
import type { MessageKey } from './message-id.ts'
import { openMailboxOfMessage } from './open-mailbox.ts'
import { type MailSession, withSession } from './session.ts'
import { charsetOf, findLeaf, type MessageLeaf } from './structure.ts'

/** Of base64 with its line ends. */
const ENCODED_RATIO = 1.4

/** Sends the decoded bytes of a part as a download. */
export function sendAttachment(
  context: MailboxContext,
  request: ApiRequest,
  key: PartKey
): Promise<typeof SENT> {
  return download(
    context,
    request,
    async ({ client }, uid) => {
      const message = await fetchUid(client, uid, { bodyStructure: true })
      if (message === undefined) throw new MessageNotFound()
      const leaf = findLeaf(message.bodyStructure, key.number)
      if (leaf === undefined) throw new AttachmentNotFound()
      checkSize(leaf.size / ENCODED_RATIO)
      return {
        source: partSource(client, uid, leaf),
        headers: {
          'content-type': contentTypeOf(leaf),
          'content-disposition': attachmentDisposition(leaf.filename ?? `part-${leaf.number}`)
        },
        encoding: leaf.encoding
      }
    },
    key
  )
}

/** Sends a message as the mail server has it. */
export function sendSource(
  context: MailboxContext,
  request: ApiRequest,
  key: MessageKey
): Promise<typeof SENT> {
  return download(
    context,
    request,
    async ({ client }, uid) => {
      const message = await fetchUid(client, uid, { size: true })
      if (message === undefined) throw new MessageNotFound()
      const size = message.size ?? 0
      checkSize(size)
      return {
        source: messageSource(client, uid, size),
        headers: {
          'content-type': MESSAGE_TYPE,
          'content-disposition': attachmentDisposition('message.eml')
        },
        encoding: ''
      }
    },
    key
  )
}

interface Download {
  readonly source: DownloadSource
  readonly headers: Readonly<Record<string, string>>
  readonly encoding: string
}

async function download(
  context: MailboxContext,
  request: ApiRequest,
  prepare: (session: MailSession, uid: number) => Promise<Download>,
  key: MessageKey
): Promise<typeof SENT> {
  const { response } = request
  const run = async (session: MailSession) => {
    await openMailboxOfMessage(session.client, session, key, 'read')
    const { source, headers, encoding } = await prepare(session, key.uid)
    const decoder = createTransferDecoder(encoding)
    await sendChunks(source, { response, headers: { ...DOWNLOAD_HEADERS, ...headers }, decoder })
  }
  try {
    await withSession(context, request, run, { isDownload: true })
  } catch (error) {
    if (!response.headersSent) throw error
    // The client sees that the content is incomplete.
    response.destroy()
  }
  return SENT
}

function checkSize(bytes: number): void {
  if (bytes > MAX_DOWNLOAD_BYTES) throw new DownloadTooLarge(MAX_DOWNLOAD_BYTES)
}

function contentTypeOf(leaf: MessageLeaf): string {
  const { type } = leaf
  const charset = type.startsWith('text/') ? charsetOf(leaf) : undefined
  return charset === undefined ? type : `${type}; charset=${charset}`
}
