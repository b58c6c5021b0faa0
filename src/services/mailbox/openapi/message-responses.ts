import { type OpenapiPart, ref } from '../../../kernel/openapi.ts'
import { BYTES } from './operation.ts'
import { array, COUNT, FLAG, OPTIONAL, object, page, TEXT, TIME, TRUE } from './schema-parts.ts'

const ID: OpenapiPart = { type: 'string', pattern: '^[A-Za-z0-9_-]{11}$' }
const ADDRESSES = array(ref('Address'))
const COUNT_OR_FALSE: OpenapiPart = { anyOf: [COUNT, { const: false }] }
const ENTRY = { id: ID, uid: COUNT, path: TEXT, size: COUNT, flags: array(TEXT) }
const ENTRY_EXTRAS = {
  emailId: TEXT,
  threadId: TEXT,
  date: TIME,
  draft: TRUE,
  unseen: TRUE,
  flagged: TRUE,
  answered: TRUE,
  subject: TEXT,
  from: ref('Address'),
  replyTo: ADDRESSES,
  to: ADDRESSES,
  cc: ADDRESSES,
  messageId: TEXT,
  inReplyTo: TEXT,
  labels: array(TEXT),
  attachments: array(ref('MailAttachment')),
  messageSpecialUse: TEXT,
  isAutoReply: TRUE
}
const SIZES = object({}, { plain: COUNT, html: COUNT })
const TEXTS = { plain: TEXT, html: TEXT, hasMore: FLAG, webSafe: TRUE }
const FLAG_CHANGES = object(
  {},
  { flags: object({}, { add: FLAG, delete: FLAG, set: FLAG }), labels: { type: 'object' } }
)
const ID_MAP = array({ type: 'array', items: ID, minItems: 2, maxItems: 2 })
const MESSAGES = {
  description: 'A page of messages, the newest first',
  schema: object(
    {
      ...page('messages', ref('MailEntry')),
      nextPageCursor: OPTIONAL,
      prevPageCursor: OPTIONAL
    },
    {
      incomplete: {
        ...array(object({ path: TEXT }, { error: TEXT, code: TEXT })),
        description: 'Mailboxes that could not be read, with path=*'
      }
    }
  )
}

export const MESSAGE_SCHEMAS: OpenapiPart = {
  Mailbox: object(
    {
      path: TEXT,
      delimiter: OPTIONAL,
      name: TEXT,
      listed: FLAG,
      subscribed: FLAG
    },
    {
      parentPath: TEXT,
      noSelect: TRUE,
      noInferiors: TRUE,
      specialUse: TEXT,
      specialUseSource: { enum: ['user', 'extension', 'name'] },
      messages: COUNT_OR_FALSE,
      uidNext: COUNT_OR_FALSE,
      status: object({}, { messages: COUNT, unseen: COUNT, error: TEXT })
    }
  ),
  MailAttachment: object(
    {
      id: TEXT,
      contentType: TEXT,
      encodedSize: COUNT,
      embedded: FLAG,
      inline: FLAG,
      encodedInMessage: FLAG
    },
    { contentId: TEXT, filename: TEXT, method: TEXT }
  ),
  MailEntry: object(ENTRY, {
    ...ENTRY_EXTRAS,
    text: object({ id: TEXT, encodedSize: SIZES })
  }),
  MailMessage: object(
    { ...ENTRY, headers: { type: 'object', additionalProperties: array(TEXT) } },
    {
      ...ENTRY_EXTRAS,
      sender: ref('Address'),
      bcc: ADDRESSES,
      specialUse: TEXT,
      text: object({ id: TEXT, encodedSize: SIZES }, TEXTS)
    }
  )
}

export const messageResponses = {
  listMailboxes: {
    description: 'Mailboxes with a special use first',
    schema: object({ mailboxes: array(ref('Mailbox')) })
  },
  addMailbox: {
    description: 'It exists',
    schema: object({ path: TEXT, created: FLAG }, { mailboxId: TEXT })
  },
  changeMailbox: {
    description: 'It is changed',
    schema: object({ path: TEXT }, { newPath: TEXT, renamed: FLAG, subscribed: FLAG })
  },
  removeMailbox: { description: 'It is deleted', schema: object({ path: TEXT, deleted: FLAG }) },
  listMessages: MESSAGES,
  search: MESSAGES,
  showMessage: { description: 'The message', schema: ref('MailMessage') },
  showText: { description: 'The texts', schema: object({}, TEXTS) },
  downloadAttachment: {
    description: 'The decoded bytes, with their own media type',
    schema: BYTES,
    type: '*/*'
  },
  downloadSource: { description: 'The message', schema: BYTES, type: 'message/rfc822' },
  changeMessage: { description: 'Which changes were made', schema: FLAG_CHANGES },
  removeMessage: {
    description: 'Whether it is deleted or moved to the trash',
    schema: object({ deleted: FLAG }, { moved: object({ destination: TEXT }, { message: ID }) })
  },
  moveMessage: {
    description: 'Where it is now',
    schema: object({ path: TEXT }, { id: ID, uid: COUNT })
  },
  changeMessages: { description: 'Which changes were made', schema: FLAG_CHANGES },
  moveMessages: {
    description: 'Old and new ids',
    schema: object({ path: TEXT }, { idMap: ID_MAP })
  },
  removeMessages: {
    description: 'Whether they are deleted or moved to the trash',
    schema: object({ deleted: FLAG }, { moved: object({ destination: TEXT }, { idMap: ID_MAP }) })
  },
  uploadMessage: {
    description: 'It is stored',
    schema: object(
      { path: TEXT, messageId: TEXT },
      { id: ID, uid: COUNT, uidValidity: TEXT, seq: COUNT, reference: ref('ReferenceResult') }
    )
  }
}
