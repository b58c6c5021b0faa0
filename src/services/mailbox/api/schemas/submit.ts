import type { ReferenceInput } from '../../submit/apply-reference.ts'
import type { DeliveryNotification, Envelope } from '../../submit/submission.ts'
import {
  BLOCKLISTS,
  DOCUMENT_STORE,
  GATEWAYS,
  PROXIES,
  TEMPLATES,
  TRACKING
} from '../missing-features.ts'
import type { InputSchemas } from '../route.ts'
import {
  ADDRESS,
  ADDRESSES,
  type AttachmentInput,
  LOCALE,
  MAX_RECIPIENTS,
  type MailAddressInput,
  MESSAGE_FIELDS,
  MESSAGE_ID,
  MESSAGE_REFERENCE_ID,
  TIME_ZONE
} from './compose.ts'
import { PATH } from './mailbox.ts'
import {
  BOOLEAN,
  DATE_TIME,
  notOffered,
  object,
  oneOrMore,
  onlyFalse,
  PAGES,
  text
} from './parts.ts'

const MIB = 1024 * 1024
export const MAX_BODY_BYTES = 50 * MIB
const MAX_MERGED = 1000
export const RAW = { type: 'string', maxLength: 40 * MIB }

/** Clients that send all fields send `false` for what they do not need. */
function unlessFalse(sentence: string): object {
  return { ...onlyFalse(sentence), messages: { not: sentence, type: sentence } }
}

/** What is not in it is as in the message. */
const ENVELOPE = object({
  from: text(320, { pattern: '^(?:[^\\s<>\\p{Cc}]+@[^\\s<>@\\p{Cc}]+)?$' }),
  to: oneOrMore(ADDRESS, { minItems: 1, maxItems: MAX_RECIPIENTS })
})
const DSN = object(
  {
    id: text(100, { pattern: '^[!-~]*$' }),
    return: { type: 'string', enum: ['headers', 'full'] },
    notify: oneOrMore(
      { type: 'string', enum: ['never', 'success', 'failure', 'delay'] },
      { minItems: 1, maxItems: 4, uniqueItems: true }
    ),
    recipient: text(500, { pattern: '^[!-~]*$' })
  },
  ['return']
)
export const REFERENCE = object(
  {
    message: MESSAGE_REFERENCE_ID,
    action: { type: 'string', enum: ['reply', 'reply-all', 'forward'], default: 'reply' },
    inline: { type: 'boolean', default: false },
    forwardAttachments: { type: 'boolean', default: false },
    ignoreMissing: { type: 'boolean', default: false },
    messageId: text(996),
    threadId: notOffered('Threads of Gmail are not offered'),
    documentStore: unlessFalse(DOCUMENT_STORE)
  },
  ['message']
)
const SENDING = {
  envelope: ENVELOPE,
  copy: { type: ['boolean', 'null'] },
  sentMailPath: PATH,
  sendAt: DATE_TIME,
  deliveryAttempts: { type: 'integer', minimum: 1, maximum: 100 },
  dsn: DSN,
  gateway: notOffered(GATEWAYS),
  proxy: notOffered(PROXIES),
  localAddress: notOffered(PROXIES)
}
const MERGED = object(
  {
    to: ADDRESSES.items,
    messageId: MESSAGE_ID,
    sendAt: DATE_TIME,
    params: notOffered(TEMPLATES)
  },
  ['to']
)

/** What both routes take. */
export interface SendingInput {
  readonly envelope?: Partial<Envelope>
  readonly copy?: boolean | null
  readonly sentMailPath?: string
  readonly sendAt?: string
  readonly deliveryAttempts?: number
  readonly dsn?: DeliveryNotification
}

export interface MergedInput {
  readonly to: MailAddressInput
  readonly messageId?: string
  readonly sendAt?: string
}

export interface SubmitInput extends SendingInput {
  readonly from?: MailAddressInput
  readonly to?: readonly MailAddressInput[]
  readonly cc?: readonly MailAddressInput[]
  readonly bcc?: readonly MailAddressInput[]
  readonly replyTo?: readonly MailAddressInput[]
  readonly subject?: string
  readonly text?: string
  readonly html?: string
  readonly previewText?: string
  readonly attachments?: readonly AttachmentInput[]
  readonly raw?: string
  readonly reference?: ReferenceInput
  readonly mailMerge?: readonly MergedInput[]
  readonly messageId?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly locale?: string
  readonly tz?: string
  readonly dryRun?: boolean
}

export const submitSchemas = {
  submit: {
    maxBodyBytes: MAX_BODY_BYTES,
    body: object({
      ...MESSAGE_FIELDS,
      previewText: text(1024),
      raw: RAW,
      reference: REFERENCE,
      mailMerge: { type: 'array', minItems: 1, maxItems: MAX_MERGED, items: MERGED },
      ...SENDING,
      locale: LOCALE,
      tz: TIME_ZONE,
      dryRun: BOOLEAN,
      template: notOffered(TEMPLATES),
      render: unlessFalse(TEMPLATES),
      listId: notOffered(BLOCKLISTS),
      trackOpens: unlessFalse(TRACKING),
      trackClicks: unlessFalse(TRACKING),
      trackingEnabled: unlessFalse(TRACKING),
      baseUrl: notOffered(TRACKING)
    })
  },
  submitDraft: { body: object(SENDING) },
  listOutbox: { query: PAGES }
} satisfies Partial<Record<string, InputSchemas>>
