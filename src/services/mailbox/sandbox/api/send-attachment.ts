import { pipeline } from 'node:stream/promises'
import { attachmentDisposition } from '../../../../kernel/content-disposition.ts'
import type { MailboxContext } from '../../context.ts'
import { DOWNLOAD_HEADERS } from '../../contract.ts'
import type { MessageContent } from '../mail-store.ts'
import { attachmentsOf } from '../message/attachments.ts'
import { decodePart } from '../message/read-part.ts'
import type { OperationRequest } from './operation.ts'

/** Sends the decoded bytes as a download; false if the message has no such attachment. */
export async function sendAttachment(
  { kernel }: MailboxContext,
  { request, response }: Pick<OperationRequest, 'request' | 'response'>,
  contents: MessageContent,
  id: string
): Promise<boolean> {
  const attachment = attachmentsOf(contents.root).find(({ number }) => number === id)
  if (attachment === undefined) return false
  const content = decodePart(kernel.files, contents.file, attachment.part)
  // The first piece is read before the head is sent, so that an error of the storage has a status.
  const first = request.method === 'HEAD' ? undefined : await content.next()
  response.writeHead(200, {
    ...DOWNLOAD_HEADERS,
    'content-type': attachment.type,
    'content-disposition': attachmentDisposition(attachment.name ?? `part-${attachment.number}`)
  })
  if (first === undefined || first.done === true) {
    response.end()
    return true
  }
  await pipeline(joined(first.value, content), response).catch(() => response.destroy())
  return true
}

async function* joined(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}
