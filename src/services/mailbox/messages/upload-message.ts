import type { Account } from '../accounts/account.ts'
import type { ApiRequest } from '../api/route.ts'
import type { AttachmentInput } from '../api/schemas/compose.ts'
import { commandRejected } from '../connections/contract.ts'
import type { MailboxContext } from '../context.ts'
import { AccountNotFound, invalidInput } from '../contract.ts'
import {
  type AppliedReference,
  applyReference,
  needsParts,
  type ReferenceInput,
  refersToMessages
} from '../submit/apply-reference.ts'
import { invalidCombinations } from '../submit/check-submit.ts'
import {
  composeFields,
  defaultSender,
  type MessageInput,
  requireSize
} from '../submit/prepare-message.ts'
import { replaceFields } from '../submit/prepare-raw.ts'
import { readAttachments } from '../submit/read-attachments.ts'
import { referenceOptions } from '../submit/reference-options.ts'
import { spelled } from './change-flags.ts'
import { MESSAGE_TOO_LARGE } from './contract.ts'
import { canKeep, hasExtension } from './imap-commands.ts'
import { numberOfMailbox } from './mailbox-numbers.ts'
import { messageIdOf } from './message-id.ts'
import { openMailbox } from './open-mailbox.ts'
import { resolvePath } from './resolve-path.ts'
import { type MailSession, withSession } from './session.ts'

interface UploadInput extends MessageInput {
  readonly path: string
  readonly flags?: readonly string[]
  readonly internalDate?: string
  readonly reference?: ReferenceInput
  readonly raw?: string
  readonly attachments?: readonly AttachmentInput[]
  readonly locale?: string
  readonly tz?: string
}

/** Stores a message in a mailbox, for example a draft; it needs no recipients. */
export async function uploadMessage(
  context: MailboxContext,
  request: ApiRequest<unknown, UploadInput>
): Promise<object> {
  const { params, body } = request
  const daemon = await context.daemon()
  const account = await daemon.accounts.find(params.account ?? '')
  if (account === undefined) throw new AccountNotFound()
  const now = context.kernel.now()
  const { path: _path, flags: _flags, internalDate: _date, ...fields } = body
  const invalid = invalidCombinations(fields, now.getTime())
  if (invalid.length > 0) throw invalidInput(invalid)
  const options = await referenceOptions(daemon, account, body)
  // Invalid requests are rejected before the mail server is used.
  const complete = refersToMessages(body)
    ? undefined
    : await compose(account, { input: body, attachments: readAttachments(body) }, now)
  return withSession(
    context,
    request,
    async (session) => {
      const composed =
        complete ?? (await compose(account, await applyReference(session, body, options), now))
      return store(session, body, composed)
    },
    { isDownload: needsParts(body) }
  )
}

interface ComposedMessage {
  readonly bytes: Buffer
  readonly messageId: string
  readonly reference: AppliedReference<UploadInput>['reference']
}

async function compose(
  account: Account,
  { input, attachments, inReplyTo, references, reference }: AppliedReference<UploadInput>,
  date: Date
): Promise<ComposedMessage> {
  const parts = { date, inReplyTo, references }
  const { bytes, messageId } =
    input.raw === undefined
      ? await composeFields(
          { ...input, from: input.from ?? defaultSender(account) },
          { ...parts, attachments }
        )
      : await replaceFields(account, input, { ...parts, raw: input.raw })
  requireSize(bytes)
  return { bytes, messageId, reference }
}

async function store(
  session: MailSession,
  { path, flags = [], internalDate }: UploadInput,
  { bytes, messageId, reference }: ComposedMessage
): Promise<object> {
  const { client, database, account, hints } = session
  // Selected first: imapflow leaves out flags that the selected mailbox does not keep.
  const mailbox = await openMailbox(client, await resolvePath(client, hints, path), 'write')
  const wanted = [...new Set(flags.map(spelled))]
  const lost = wanted.find((flag) => !canKeep(client, flag))
  if (lost !== undefined) {
    throw invalidInput([{ key: 'flags', message: `cannot have ${lost} in this mailbox` }])
  }
  const date = internalDate === undefined ? undefined : new Date(internalDate)
  const added = await client.append(mailbox.path, bytes, wanted, date).catch(asRejected)
  const { seq, uidValidity = mailbox.uidValidity } = added || {}
  const response = {
    path: mailbox.path,
    uidValidity: String(uidValidity),
    seq,
    messageId,
    reference
  }
  // Without the extension imapflow takes the last message, which may be another one.
  const uid = added && hasExtension(client, 'UIDPLUS') ? added.uid : undefined
  if (uid === undefined) return response
  const identity = { uidValidity: response.uidValidity, path: mailbox.path }
  const number = await numberOfMailbox(database, client, account, identity)
  return { id: messageIdOf({ mailbox: number, uid }), uid, ...response }
}

/** Checked by imapflow before it sends the message. */
function asRejected(error: unknown): never {
  const { serverResponseCode, responseStatus } = error as Readonly<Record<string, unknown>>
  if (serverResponseCode !== 'APPENDLIMIT' || responseStatus !== undefined) throw error
  throw commandRejected('NO', MESSAGE_TOO_LARGE, 'TOOBIG')
}
