import type { Account } from '../accounts/account.ts'
import { MAX_RECIPIENTS, type MailAddressInput } from '../api/schemas/compose.ts'
import { invalidInput } from '../contract.ts'
import { cleanText } from '../sandbox/message/header-text.ts'
import {
  type ComposedAttachment,
  composeMessage,
  createMessageId,
  inAngleBrackets
} from './compose.ts'
import { recipientsOf, withAsciiDomain } from './envelope.ts'
import { withMailLines } from './header-block.ts'
import type { PreparedMessage } from './prepared-message.ts'
import { withPreviewText } from './preview-text.ts'
import type { Envelope } from './submission.ts'
import { textOfHtml } from './text-of-html.ts'

/** Larger ones are accepted by few servers. */
export const MAX_MESSAGE_BYTES = 50 * 1024 * 1024

/** Header fields of a request. */
export interface FieldInput {
  readonly from?: MailAddressInput
  readonly to?: readonly MailAddressInput[]
  readonly cc?: readonly MailAddressInput[]
  readonly bcc?: readonly MailAddressInput[]
  readonly replyTo?: readonly MailAddressInput[]
  readonly subject?: string
  readonly messageId?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface MessageInput extends FieldInput {
  readonly text?: string
  readonly html?: string
  readonly previewText?: string
}

export interface ComposedParts {
  readonly attachments: readonly ComposedAttachment[]
  readonly inReplyTo?: string | undefined
  readonly references?: readonly string[] | undefined
  /** Of the `Date` field. */
  readonly date: Date
}

/** A message from the fields of a request; those of a reply are filled in already. */
export async function prepareMessage(
  account: Pick<Account, 'name' | 'email'>,
  input: MessageInput & { readonly envelope?: Partial<Envelope> },
  parts: ComposedParts
): Promise<PreparedMessage> {
  const from = input.from ?? defaultSender(account)
  const { to = [], cc = [], bcc = [], subject = '' } = input
  const addresses = [...to, ...cc, ...bcc].map(({ address }) => address)
  const envelope = envelopeOf(input, from.address, addresses)
  const { bytes, messageId } = await composeFields({ ...input, from }, parts)
  requireSize(bytes)
  return { bytes, messageId, subject: cleanText(subject), envelope }
}

/** The bytes of a message, which may have no recipients. */
export async function composeFields(
  input: MessageInput & { readonly from: MailAddressInput },
  { attachments, inReplyTo, references, date }: ComposedParts
): Promise<{ readonly bytes: Buffer; readonly messageId: string }> {
  const { from, to, cc, bcc, replyTo, subject, headers, previewText } = input
  // Without the preview, which is for lists of messages.
  const text = input.text ?? (input.html === undefined ? undefined : textOfHtml(input.html))
  const messageId = inAngleBrackets(input.messageId ?? createMessageId(from.address))
  const html =
    input.html !== undefined && previewText !== undefined
      ? withPreviewText(input.html, previewText)
      : input.html
  const composed = await composeMessage({
    ...{ from, to, cc, bcc, replyTo, subject, headers, text, html, messageId, date },
    ...{ attachments, inReplyTo, references }
  })
  return { bytes: withMailLines(composed), messageId }
}

export function defaultSender({ name, email }: Pick<Account, 'name' | 'email'>) {
  if (email === undefined) {
    const message = 'is required: the account has no email address'
    throw invalidInput([{ key: 'from', message }])
  }
  return { name, address: email }
}

/** That of the request, or the addresses of the message. */
export function envelopeOf(
  { envelope }: { readonly envelope?: Partial<Envelope> },
  from: string,
  addresses: readonly string[]
): Envelope {
  const to = recipientsOf(envelope?.to ?? addresses)
  if (to.length === 0) {
    throw invalidInput([{ key: 'to', message: 'must have at least one recipient' }])
  }
  if (to.length > MAX_RECIPIENTS) {
    const message = `must have at most ${MAX_RECIPIENTS} recipients, with cc and bcc`
    throw invalidInput([{ key: 'to', message }])
  }
  return { from: withAsciiDomain(envelope?.from ?? from), to }
}

export function requireSize(bytes: Uint8Array): void {
  if (bytes.length <= MAX_MESSAGE_BYTES) return
  const message = `make a message of more than ${MAX_MESSAGE_BYTES} bytes`
  throw invalidInput([{ key: 'attachments', message }])
}
