import { attachmentDisposition } from '../../../../kernel/content-disposition.ts'
import { sendStoredFile } from '../../../../kernel/send-file.ts'
import { type Caller, mayUse } from '../../api/access.ts'
import type { MailboxContext } from '../../context.ts'
import {
  AttachmentNotFound,
  DOWNLOAD_HEADERS,
  MESSAGE_TYPE,
  MessageNotFound,
  renderError
} from '../../contract.ts'
import { messageIdOf, parseMessageId } from '../../messages/message-id.ts'
import type { FoundMessage } from '../mail-store.ts'
import { readHeaders } from '../message/header-fields.ts'
import { readHtml, readText } from '../message/read-text.ts'
import { readFilter } from './filter.ts'
import type { Download, Operation } from './operation.ts'
import { presentEntry, presentEnvelope } from './present.ts'
import { integer, readQuery } from './read-input.ts'
import { sendAttachment } from './send-attachment.ts'

const MAX_PAGE = 1_048_576
const MAX_PAGE_SIZE = 1000
const PAGE_SIZE = 20

/** `GET /v1/sandbox/messages`, newest first. */
export const listMessages: Operation = async ({ store }, { caller, request }) => {
  const { filter, values } = readFilter(caller, request, {
    page: integer(0, MAX_PAGE, 0),
    pageSize: integer(1, MAX_PAGE_SIZE, PAGE_SIZE)
  })
  const { page, pageSize } = values
  const total = await store.countMessages(filter)
  const isEmpty = page * pageSize >= total
  const messages = isEmpty ? [] : await store.findMessages(filter, pageSize, page * pageSize)
  return {
    total,
    page,
    pages: Math.ceil(total / pageSize),
    messages: messages.map(presentEntry)
  }
}

/** `DELETE /v1/sandbox/messages` */
export const deleteMessages: Operation = async ({ store }, { caller, request }) => {
  const { filter } = readFilter(caller, request, {})
  return { deleted: await store.removeMessages(filter) }
}

/** `GET /v1/sandbox/messages/:message` */
export const showMessage: Operation = async (context, { caller, request, params }) => {
  readQuery(request, {})
  const message = await findMessage(context, caller, params.message)
  return presentMessage(context, caller, message, context.kernel.baseUrl(request))
}

/** With its texts, for `showMessage` and for the one that was waited for. */
export async function presentMessage(
  { kernel: { files }, store }: MailboxContext,
  caller: Caller,
  message: FoundMessage,
  baseUrl: string
): Promise<object> {
  const { contents } = message
  const entry = presentEntry(message)
  const [fields, plain, html, envelope] = await Promise.all([
    readHeaders(files, contents),
    readText(files, contents),
    readHtml(files, contents),
    presentEnvelope(store, caller, message)
  ])
  const url = `${baseUrl}/v1/sandbox/messages/${entry.id}`
  return {
    ...entry,
    attachments: entry.attachments.map((one) => ({ ...one, url: `${url}/attachments/${one.id}` })),
    envelope,
    headers: groupHeaders(fields),
    text: {
      ...(plain !== undefined && { plain: plain.text }),
      ...(html !== undefined && { html: html.text }),
      hasMore: plain?.isCut === true || html?.isCut === true
    },
    source: `${url}/source`
  }
}

/** `DELETE /v1/sandbox/messages/:message` */
export const deleteMessage: Operation = async (context, { caller, request, params }) => {
  readQuery(request, {})
  const message = await findMessage(context, caller, params.message)
  const { account, number } = message
  const only = { account, after: number - 1, before: number + 1 }
  if ((await context.store.removeMessages(only)) === 0) throw new MessageNotFound()
  return { id: messageIdOf(message), deleted: true }
}

/** `GET /v1/sandbox/messages/:message/source` */
export const sendSource: Download = async (context, { caller, request, response, params }) => {
  readQuery(request, {})
  const { contents, ...key } = await findMessage(context, caller, params.message)
  const disposition = attachmentDisposition(`${messageIdOf(key)}.eml`)
  const headers = { ...DOWNLOAD_HEADERS, 'content-disposition': disposition }
  const file = { ...contents.file, mediaType: MESSAGE_TYPE, headers }
  const isSent = await sendStoredFile(context.kernel.files, request, response, file, renderError)
  if (!isSent) throw new MessageNotFound()
}

/** `GET /v1/sandbox/messages/:message/attachments/:attachment` */
export const downloadAttachment: Download = async (context, operation) => {
  const { caller, request, params } = operation
  readQuery(request, {})
  const { contents } = await findMessage(context, caller, params.message)
  const isSent = await sendAttachment(context, operation, contents, params.attachment ?? '')
  if (!isSent) throw new AttachmentNotFound()
}

/** Messages of other accounts are not found. */
export async function findMessage(
  { store }: MailboxContext,
  caller: Caller,
  id = ''
): Promise<FoundMessage> {
  const key = parseMessageId(id)
  const message = key && (await store.findMessage(key.mailbox, key.uid))
  if (message === undefined || !mayUse(caller, message.account)) throw new MessageNotFound()
  return message
}

/** Values by lower-case name, in the order of the message. */
function groupHeaders(
  fields: readonly { readonly name: string; readonly value: string }[]
): Readonly<Record<string, readonly string[]>> {
  const groups = new Map<string, string[]>()
  for (const { name, value } of fields) {
    const key = name.toLowerCase()
    const values = groups.get(key)
    if (values === undefined) groups.set(key, [value])
    else values.push(value)
  }
  // Unlike an assignment, this makes a field `__proto__` one of the object's own.
  return Object.fromEntries(groups)
}
