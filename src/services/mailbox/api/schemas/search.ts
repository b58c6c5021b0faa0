import { DOCUMENT_STORE } from '../missing-features.ts'
import type { InputSchemas } from '../route.ts'
import { PATH } from './mailbox.ts'
import { BOOLEAN, DATE_TIME, notOffered, object, oneOrMore, PAGES, text } from './parts.ts'

/** A cursor for all mailboxes has 8 bytes for each of 500 mailboxes, encoded twice. */
const MAX_CURSOR = 12_000

/** Of lists of messages; also of `PUT …/messages`. */
export const LIST_QUERY = {
  path: PATH,
  cursor: text(MAX_CURSOR, { minLength: 1 }),
  ...PAGES,
  documentStore: notOffered(DOCUMENT_STORE)
}

/** IMAP sends a search in one line, which these characters would end. */
function words(maxLength: number): object {
  return text(maxLength, { minLength: 1, pattern: '^[^\\u0000\\r\\n]+$' })
}

const NUMBER = '(?:[1-9][0-9]{0,9}|\\*)'
const RANGE = `${NUMBER}(?::${NUMBER})?`
/** Such as `1,5:10,20:*`. */
const RANGES = text(8192, { minLength: 1, pattern: `^${RANGE}(?:,${RANGE})*$` })
const SIZE = { type: 'integer', maximum: 4_294_967_295 }
const ID = text(256, { minLength: 1, pattern: '^[!-~]+$' })
const LABELS = oneOrMore(words(256), { maxItems: 100 })

/** Keys of a search; also of `PUT …/messages`. */
export const SEARCH_KEYS = object({
  seq: RANGES,
  uid: RANGES,
  answered: BOOLEAN,
  deleted: BOOLEAN,
  draft: BOOLEAN,
  unseen: BOOLEAN,
  seen: BOOLEAN,
  flagged: BOOLEAN,
  from: words(256),
  to: words(256),
  cc: words(256),
  bcc: words(256),
  body: words(256),
  subject: words(2560),
  larger: { ...SIZE, minimum: 0 },
  smaller: { ...SIZE, minimum: 1 },
  modseq: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  before: DATE_TIME,
  since: DATE_TIME,
  sentBefore: DATE_TIME,
  sentSince: DATE_TIME,
  emailId: ID,
  threadId: ID,
  header: {
    type: 'object',
    maxProperties: 100,
    propertyNames: { type: 'string', minLength: 1, maxLength: 256, pattern: '^[!-9;-~]+$' },
    additionalProperties: text(2560, { pattern: '^[^\\u0000\\r\\n]*$' })
  },
  gmailRaw: words(2560),
  labels: object({ has: LABELS, not: LABELS }),
  emailIds: oneOrMore(ID, { minItems: 1, maxItems: 1000 })
})

export const searchSchemas = {
  listMessages: { query: LIST_QUERY, requiredQuery: ['path'] },
  search: {
    query: {
      ...LIST_QUERY,
      exposeQuery: notOffered('Searches are sent to the mail server as they are'),
      useOutlookSearch: notOffered('Only IMAP servers are searched')
    },
    requiredQuery: ['path'],
    body: object({ search: SEARCH_KEYS }, ['search'])
  }
} satisfies Partial<Record<string, InputSchemas>>
