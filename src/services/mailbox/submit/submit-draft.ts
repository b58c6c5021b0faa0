import type { ApiRequest } from '../api/route.ts'
import type { SendingInput } from '../api/schemas/submit.ts'
import type { MailboxContext } from '../context.ts'
import { invalidInput, MessageNotFound } from '../contract.ts'
import { messageSource, readChunks } from '../messages/download.ts'
import { fetchUid } from '../messages/fetch.ts'
import { messageOf } from '../messages/handlers.ts'
import type { MessageKey } from '../messages/message-id.ts'
import { openMailboxOfMessage } from '../messages/open-mailbox.ts'
import { specialUseOf } from '../messages/resolve-path.ts'
import { type MailSession, withSession } from '../messages/session.ts'
import { parseHeader } from '../sandbox/message/header.ts'
import { invalidCombinations } from './check-submit.ts'
import { DraftHasNoRecipients, MessageNotDraft } from './contract.ts'
import { headerAddresses } from './envelope.ts'
import { readIdempotencyKey } from './idempotency.ts'
import { MAX_MESSAGE_BYTES, requireSize } from './prepare-message.ts'
import { prepareRaw } from './prepare-raw.ts'
import { timeOf } from './present.ts'
import { findRepeated, queueMessages, storeMessage } from './queue-messages.ts'
import { requireSender, sendingOptions, sendTime } from './sending.ts'

/** Sends a draft as it is in its mailbox; it is removed from there afterwards. */
export async function submitDraft(
  context: MailboxContext,
  request: ApiRequest<unknown, SendingInput>
): Promise<object> {
  const { params, body } = request
  const daemon = await context.daemon()
  const account = await requireSender(daemon, params.account ?? '')
  const key = messageOf(request)
  const now = context.kernel.now().getTime()
  const invalid = invalidCombinations(body, now)
  if (invalid.length > 0) throw invalidInput(invalid)
  const content = { draft: params.message, ...body }
  const keyed = readIdempotencyKey(request.request.headers, account.id, content)
  const repeated = await findRepeated(context, keyed)
  if (repeated !== undefined) return repeated

  const raw = await withSession(context, request, (session) => readDraft(session, key), {
    isDownload: true
  })
  const header = parseHeader(raw)
  const recipients = headerAddresses(header, ['to', 'cc', 'bcc'])
  if (body.envelope?.to === undefined && recipients.length === 0) throw new DraftHasNoRecipients()
  const sendAt = sendTime(body.sendAt, now)
  const parts = { raw, date: new Date(sendAt), replacesDate: true }
  const { envelope } = body
  const prepared = await prepareRaw(account, envelope === undefined ? {} : { envelope }, parts)
  const { deliveryAttempts } = await daemon.settings.read()
  const stored = await storeMessage(context, {
    ...prepared,
    sendAt,
    deliveryAttempts: body.deliveryAttempts ?? deliveryAttempts,
    options: { ...sendingOptions(body), draft: params.message ?? '' }
  })
  const response = {
    response: 'Queued for delivery',
    messageId: stored.messageId,
    queueId: stored.id,
    sendAt: timeOf(stored.sendAt)
  }
  return queueMessages(context, account.id, [stored], response, keyed)
}

/** The bytes of a message that is a draft. */
async function readDraft(session: MailSession, key: MessageKey): Promise<Buffer> {
  const { client, hints } = session
  const { uid } = key
  const { path } = await openMailboxOfMessage(client, session, key, 'read')
  const message = await fetchUid(client, uid, { flags: true, size: true })
  if (message === undefined) throw new MessageNotFound()
  const isDraft = message.flags?.has('\\Draft') === true
  if (!isDraft && (await specialUseOf(client, hints, path)) !== '\\Drafts') {
    throw new MessageNotDraft()
  }
  const pieces: Buffer[] = []
  let size = 0
  for await (const chunk of readChunks(messageSource(client, uid, message.size ?? 0))) {
    pieces.push(chunk)
    size += chunk.length
    if (size > MAX_MESSAGE_BYTES) break
  }
  const bytes = Buffer.concat(pieces)
  requireSize(bytes)
  return bytes
}
