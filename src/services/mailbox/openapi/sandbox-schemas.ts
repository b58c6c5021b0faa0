import { type OpenapiPart, ref } from '../../../kernel/openapi.ts'
import { array, COUNT, FLAG, OPTIONAL, object, TEXT, TIME, TRUE } from './schema-parts.ts'

const ADDRESSES = array(ref('Address'))
const ACCOUNT = { account: TEXT, address: TEXT, name: TEXT, created: TIME }
const SERVERS = { imap: ref('Server'), smtp: ref('Server') }
const ENTRY = {
  id: { type: 'string', pattern: '^[A-Za-z0-9_-]{11}$' },
  account: TEXT,
  uid: COUNT,
  emailId: { ...TEXT, description: 'The same for all copies of a message' },
  threadId: TEXT,
  path: { ...TEXT, description: 'The mailbox' },
  date: { ...TIME, description: 'Of the field Date, else of the arrival' },
  received: TIME,
  flags: array(TEXT),
  size: COUNT,
  subject: TEXT,
  preview: TEXT,
  attachments: array(ref('Attachment'))
}
const ENTRY_EXTRAS = {
  unseen: TRUE,
  flagged: TRUE,
  answered: TRUE,
  draft: TRUE,
  from: ref('Address'),
  replyTo: ADDRESSES,
  to: ADDRESSES,
  cc: ADDRESSES,
  bcc: ADDRESSES,
  messageId: TEXT,
  inReplyTo: TEXT
}

export const SANDBOX_SCHEMAS: OpenapiPart = {
  AccountRequest: object({}, { account: OPTIONAL, address: OPTIONAL, name: OPTIONAL }),
  NewAccount: object({ account: TEXT, token: TEXT, address: TEXT, ...SERVERS }),
  Account: object({ ...ACCOUNT, messages: COUNT, ...SERVERS }),
  AccountList: object({
    total: COUNT,
    next: { type: ['string', 'null'], description: 'For the next page' },
    accounts: array(object(ACCOUNT))
  }),
  DeletedAccount: object({ account: TEXT, deleted: TRUE }),
  Server: {
    ...object({
      host: TEXT,
      port: COUNT,
      secure: FLAG,
      auth: object({ user: TEXT, pass: TEXT }),
      tls: object({ rejectUnauthorized: FLAG })
    }),
    description: 'As imapflow and nodemailer take it'
  },
  Address: object({ name: TEXT, address: TEXT }),
  Attachment: object(
    { id: TEXT, contentType: TEXT, encodedSize: COUNT, embedded: FLAG, inline: FLAG },
    { contentId: TEXT, filename: TEXT, url: { type: 'string', format: 'uri' } }
  ),
  MessageEntry: object(ENTRY, ENTRY_EXTRAS),
  MessageList: object({
    total: COUNT,
    page: COUNT,
    pages: COUNT,
    messages: array(ref('MessageEntry'))
  }),
  Message: object(
    {
      ...ENTRY,
      envelope: object({ from: TEXT, to: array(TEXT) }),
      headers: { type: 'object', additionalProperties: array(TEXT) },
      text: object({ hasMore: FLAG }, { plain: TEXT, html: TEXT }),
      source: { type: 'string', format: 'uri' }
    },
    ENTRY_EXTRAS
  ),
  DeletedMessage: object({ id: TEXT, deleted: TRUE }),
  DeletedMessages: object({ deleted: COUNT })
}
