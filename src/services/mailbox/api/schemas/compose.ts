/** Fields of messages that are composed here: to be sent, or to be stored. */
import { object, oneOrMore, text } from './parts.ts'

const MIB = 1024 * 1024
const MAX_TEXT = 5 * MIB
export const MAX_RECIPIENTS = 1000

/** Without quoted local parts, which are rare and which servers interpret differently. */
export const ADDRESS = text(320, {
  pattern: '^[^\\s<>"(),:;\\\\\\p{Cc}@]+@[^\\s<>"(),;\\\\\\p{Cc}@]+$'
})
const MAIL_ADDRESS = object({ name: text(256), address: ADDRESS }, ['address'])
export const ADDRESSES = oneOrMore(MAIL_ADDRESS, { maxItems: MAX_RECIPIENTS }) as {
  readonly items: object
}
const SUBJECT = text(10_240)
const TEXT = text(MAX_TEXT)
/** With or without angle brackets. */
export const MESSAGE_ID = text(996, { pattern: '^(?:<[!-;=?-~]+>|[!-;=?-~]+)$' })
export const LOCALE = text(100)
export const TIME_ZONE = text(100)
export const MESSAGE_REFERENCE_ID = text(256, { minLength: 1 })

/** Names are checked by `submit/check-headers.ts`, which knows why one is not allowed. */
const HEADERS = {
  type: 'object',
  maxProperties: 100,
  additionalProperties: { type: 'string', maxLength: 10_000 }
}

const ATTACHMENT = object({
  filename: text(256),
  contentType: text(256, {
    pattern: '^(?!multipart/)[^\\s/;\\p{Cc}]+/[^\\s/;\\p{Cc}]+(?:;[^\\p{Cc}]*)?$'
  }),
  contentDisposition: { type: 'string', enum: ['inline', 'attachment'] },
  cid: text(256, { pattern: '^[^\\s<>\\p{Cc}]+$' }),
  encoding: { type: 'string', enum: ['base64'], default: 'base64' },
  /** Base64; its bytes are counted when it is decoded. */
  content: text(8 * MIB),
  reference: text(1024, { minLength: 1 })
})

export interface MailAddressInput {
  readonly name?: string
  readonly address: string
}

export interface AttachmentInput {
  readonly filename?: string
  readonly contentType?: string
  readonly contentDisposition?: 'inline' | 'attachment'
  readonly cid?: string
  readonly content?: string
  readonly reference?: string
}

/** Fields of a message that is composed, whether it is stored or sent. */
export const MESSAGE_FIELDS = {
  from: ADDRESSES.items,
  to: ADDRESSES,
  cc: ADDRESSES,
  bcc: ADDRESSES,
  replyTo: ADDRESSES,
  subject: SUBJECT,
  text: TEXT,
  html: TEXT,
  attachments: { type: 'array', maxItems: 100, items: ATTACHMENT },
  messageId: MESSAGE_ID,
  headers: HEADERS
}
