import type { MailboxContext } from '../context.ts'
import { AccountNotFound } from '../contract.ts'
import { findMailAccount } from '../store/mail-accounts.ts'
import { claimKey, findKey } from '../store/submission-keys.ts'
import { countWaiting } from '../store/submissions.ts'
import { addSubmission } from './add-submission.ts'
import { QueueFull } from './contract.ts'
import { type KeyedRequest, repeatedResponse } from './idempotency.ts'
import type { PreparedMessage } from './prepared-message.ts'
import { createQueueId } from './queue-id.ts'
import type { NewSubmission, SubmissionOptions } from './submission.ts'

/** Of one account. */
const MAX_WAITING = 10_000

export interface QueuedMessage extends PreparedMessage {
  readonly sendAt: number
  readonly deliveryAttempts: number
  readonly options: SubmissionOptions
}

/** The file of a message is stored, so it is not in memory any more. */
export type StoredMessage = Omit<NewSubmission, 'account' | 'idempotencyKey'>

export async function storeMessage(
  { kernel }: MailboxContext,
  { bytes, messageId, subject, envelope, sendAt, deliveryAttempts, options }: QueuedMessage
): Promise<StoredMessage> {
  const { hash, size } = await kernel.files.put(piecesOf(bytes))
  const id = createQueueId(sendAt)
  return {
    id,
    messageId,
    subject,
    envelope,
    options,
    hash,
    size,
    sendAt,
    maxAttempts: deliveryAttempts
  }
}

export async function findRepeated(
  { kernel }: MailboxContext,
  keyed: KeyedRequest | undefined
): Promise<object | undefined> {
  if (keyed === undefined) return undefined
  const time = kernel.now().getTime()
  const record = await kernel.database.read(() => findKey(keyed, time))
  return record && repeatedResponse(keyed, record)
}

/** All messages of a request in one transaction, so that a repeated request adds no message. */
export async function queueMessages(
  { kernel }: MailboxContext,
  account: string,
  messages: readonly StoredMessage[],
  response: object,
  keyed: KeyedRequest | undefined
): Promise<object> {
  const time = kernel.now().getTime()
  const earlier = await kernel.database.write(function* () {
    // It may have been removed while the message was composed.
    if ((yield* findMailAccount(account)) === undefined) throw new AccountNotFound()
    if (keyed !== undefined) {
      const { request } = keyed
      const stored = yield* claimKey(keyed, { request, response: JSON.stringify(response) }, time)
      if (stored !== undefined) return stored
    }
    const waiting = yield* countWaiting(account, MAX_WAITING)
    if (waiting + messages.length > MAX_WAITING) throw new QueueFull(MAX_WAITING)
    for (const message of messages) {
      yield* addSubmission({ ...message, account, idempotencyKey: keyed?.value }, time)
    }
    return undefined
  })
  if (keyed === undefined) return response
  if (earlier !== undefined) return repeatedResponse(keyed, earlier)
  return { ...response, idempotency: { key: keyed.value, status: 'MISS' } }
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
