import type { ApiRequest, Handler } from '../api/route.ts'
import { AttachmentNotFound, MessageNotFound } from '../contract.ts'
import { unauthorizedPermission } from '../control/contract.ts'
import { ALL_MAILBOXES, listAllMailboxes } from './all-mailboxes.ts'
import { parseAttachmentId, parseTextId } from './content-ids.ts'
import { TextNotFound } from './contract.ts'
import { type ListQuery, listMailbox, type MessageList } from './list-messages.ts'
import { mailboxHandlers } from './mailbox-handlers.ts'
import { type MessageKey, parseMessageId } from './message-id.ts'
import { checkPrepareOptions } from './prepare-html.ts'
import type { SearchKeys } from './search-query.ts'
import { sendAttachment, sendSource } from './send-content.ts'
import { type MailSession, withSession } from './session.ts'
import { type MessageQuery, showMessage } from './show-message.ts'
import { showText, type TextQuery } from './show-text.ts'

const listMessages: Handler<ListQuery> = (context, request) =>
  withSession(context, request, (session) => list(session, request.query))

const search: Handler<ListQuery, { search: SearchKeys }> = (context, request) =>
  withSession(context, request, (session) => list(session, request.query, request.body.search))

function list(session: MailSession, query: ListQuery, keys?: SearchKeys): Promise<MessageList> {
  return query.path === ALL_MAILBOXES
    ? listAllMailboxes(session, query, keys)
    : listMailbox(session, query, keys)
}

const showOne: Handler<MessageQuery> = async (context, request) => {
  const key = messageOf(request)
  checkPrepareOptions(request.query)
  const { actions } = request.caller
  if (request.query.markAsSeen === true && actions?.includes('write') === false) {
    throw unauthorizedPermission('message', 'write')
  }
  return withSession(context, request, (session) => showMessage(session, key, request.query))
}

const showTexts: Handler<TextQuery> = async (context, request) => {
  const key = parseTextId(request.params.text ?? '')
  if (key === undefined) throw new TextNotFound()
  checkPrepareOptions(request.query)
  return withSession(context, request, (session) => showText(session, key, request.query))
}

const downloadAttachment: Handler = async (context, request) => {
  const key = parseAttachmentId(request.params.attachment ?? '')
  if (key === undefined) throw new AttachmentNotFound()
  return sendAttachment(context, request, key)
}

const downloadSource: Handler = async (context, request) =>
  sendSource(context, request, messageOf(request))

/** The message of the path. */
export function messageOf({ params }: Pick<ApiRequest, 'params'>): MessageKey {
  const key = parseMessageId(params.message ?? '')
  if (key === undefined) throw new MessageNotFound()
  return key
}

export const messagesHandlers = {
  ...mailboxHandlers,
  listMessages,
  search,
  showMessage: showOne,
  showText: showTexts,
  downloadAttachment,
  downloadSource
} satisfies Record<string, Handler>
