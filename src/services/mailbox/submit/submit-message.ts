import type { Account } from '../accounts/account.ts'
import type { ApiRequest } from '../api/route.ts'
import type { MergedInput, SubmitInput } from '../api/schemas/submit.ts'
import type { MailboxContext } from '../context.ts'
import { invalidInput } from '../contract.ts'
import type { Daemon } from '../daemon/daemon.ts'
import { withSession } from '../messages/session.ts'
import {
  type AppliedReference,
  applyReference,
  needsParts,
  refersToMessages
} from './apply-reference.ts'
import { invalidCombinations, invalidTime } from './check-submit.ts'
import { readIdempotencyKey } from './idempotency.ts'
import { prepareMessage } from './prepare-message.ts'
import { prepareRaw } from './prepare-raw.ts'
import { timeOf } from './present.ts'
import { findRepeated, type QueuedMessage, queueMessages, storeMessage } from './queue-messages.ts'
import { readAttachments } from './read-attachments.ts'
import { referenceOptions } from './reference-options.ts'
import { requireSender, sendingOptions, sendTime } from './sending.ts'

const MIB = 1024 * 1024
/** Of all messages of a merge: each is a file of its own. */
const MAX_MERGED_BYTES = 512 * MIB
/** Of previews, which are all in one response. */
const MAX_PREVIEW_BYTES = 64 * MIB

type SubmitRequest = ApiRequest<unknown, SubmitInput>

export async function submit(context: MailboxContext, request: SubmitRequest): Promise<object> {
  const { params, body } = request
  const daemon = await context.daemon()
  const account = await requireSender(daemon, params.account ?? '')
  const now = context.kernel.now().getTime()
  const invalid = invalidCombinations(body, now)
  if (invalid.length > 0) throw invalidInput(invalid)
  const keyed =
    body.dryRun === true
      ? undefined
      : readIdempotencyKey(request.request.headers, account.id, { submit: body })
  const repeated = await findRepeated(context, keyed)
  if (repeated !== undefined) return repeated

  const applied = await apply(context, request, { daemon, account })
  const { reference } = applied
  const messages = (body.mailMerge ?? [undefined]).map((merged) =>
    mergedInput(applied.input, merged)
  )
  const { deliveryAttempts } = await daemon.settings.read()
  const stored = []
  const entries: object[] = []
  for (const input of messages) {
    const prepared = await prepare(account, { ...applied, input }, { now, deliveryAttempts })
    const { messageId, bytes } = prepared
    checkMerged(body, bytes.length * messages.length)
    if (body.dryRun === true) {
      entries.push({ response: 'Dry run', messageId, preview: bytes.toString('base64') })
      continue
    }
    const message = await storeMessage(context, prepared)
    stored.push(message)
    const sendAt = timeOf(message.sendAt)
    entries.push({ messageId, queueId: message.id, sendAt, ...(reference && { reference }) })
  }
  const response = responseOf(body, entries, timeOf(sendTime(body.sendAt, now)))
  return body.dryRun === true
    ? response
    : queueMessages(context, account.id, stored, response, keyed)
}

/** Before the first message is stored; they differ in little more than their recipients. */
function checkMerged({ mailMerge, dryRun }: SubmitInput, bytes: number): void {
  const most = dryRun === true ? MAX_PREVIEW_BYTES : MAX_MERGED_BYTES
  if (mailMerge === undefined || bytes <= most) return
  const message = `makes messages of more than ${most} bytes together; send fewer at a time`
  throw invalidInput([{ key: 'mailMerge', message }])
}

function responseOf(
  { mailMerge, dryRun }: SubmitInput,
  entries: readonly object[],
  sendAt: string
) {
  if (mailMerge === undefined) {
    return dryRun === true ? { ...entries[0] } : { response: 'Queued for delivery', ...entries[0] }
  }
  const merged = mailMerge.map(({ to }, index) => ({ success: true, to, ...entries[index] }))
  return { sendAt, mailMerge: merged }
}

/** The request with what it refers to. */
async function apply(
  context: MailboxContext,
  request: SubmitRequest,
  { daemon, account }: { readonly daemon: Daemon; readonly account: Account }
): Promise<AppliedReference<SubmitInput>> {
  const { body } = request
  if (!refersToMessages(body)) return { input: body, attachments: readAttachments(body) }
  const options = await referenceOptions(daemon, account, body)
  return withSession(context, request, (session) => applyReference(session, body, options), {
    isDownload: needsParts(body)
  })
}

/** The message to one of the recipients of a merge; they do not see each other. */
function mergedInput(input: SubmitInput, merged: MergedInput | undefined): SubmitInput {
  if (merged === undefined) return input
  const { to, messageId, sendAt = input.sendAt } = merged
  const { cc: _, ...shared } = input
  return {
    ...shared,
    to: [to],
    ...(messageId !== undefined && { messageId }),
    ...(sendAt !== undefined && { sendAt })
  }
}

async function prepare(
  account: Account,
  { input, attachments, inReplyTo, references, reference }: AppliedReference<SubmitInput>,
  { now, deliveryAttempts }: { readonly now: number; readonly deliveryAttempts: number }
): Promise<QueuedMessage> {
  const sendAt = sendTime(input.sendAt, now)
  const parts = { date: new Date(sendAt), inReplyTo, references }
  const { raw } = input
  const prepared =
    raw === undefined
      ? await prepareMessage(account, input, { ...parts, attachments })
      : await prepareRaw(account, input, { ...parts, raw })
  const ofRaw = prepared.sendAt === undefined ? undefined : timeOf(prepared.sendAt)
  const invalid = invalidTime('raw.X-EE-Send-At', ofRaw, now)
  if (invalid.length > 0) throw invalidInput(invalid)
  const original = reference?.success === true ? input.reference : undefined
  return {
    ...prepared,
    sendAt: input.sendAt === undefined ? Math.max(prepared.sendAt ?? now, now) : sendAt,
    deliveryAttempts: input.deliveryAttempts ?? prepared.deliveryAttempts ?? deliveryAttempts,
    options: {
      ...sendingOptions(input),
      ...(original && { original: { message: original.message, action: original.action } })
    }
  }
}
