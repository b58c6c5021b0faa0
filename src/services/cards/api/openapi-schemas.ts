import { type OpenapiPart, ref } from '../../../kernel/openapi.ts'

const TEXT: OpenapiPart = { type: 'string' }
const FLAG: OpenapiPart = { type: 'boolean' }
const NUMBER: OpenapiPart = { type: 'number' }
const ID: OpenapiPart = { type: 'string', pattern: '^[0-9a-f]{24}$' }
const TIME: OpenapiPart = { type: 'string', format: 'date-time' }
const OPTIONAL_TIME: OpenapiPart = { type: ['string', 'null'], format: 'date-time' }
const OPTIONAL_TEXT: OpenapiPart = { type: ['string', 'null'] }
const OPTIONAL_ID: OpenapiPart = { type: ['string', 'null'], pattern: '^[0-9a-f]{24}$' }
const OBJECT: OpenapiPart = { type: 'object' }
const IDS: OpenapiPart = { type: 'array', items: ID }

/** Only `id` is always there: `fields` selects the others. */
function object(properties: OpenapiPart): OpenapiPart {
  return { type: 'object', required: ['id'], properties: { id: ID, ...properties } }
}

function list(items: OpenapiPart): OpenapiPart {
  return { type: 'array', items }
}

/** The main objects of the compatible API. */
export const SCHEMAS: OpenapiPart = {
  TrelloBoard: object({
    name: TEXT,
    desc: TEXT,
    closed: FLAG,
    idOrganization: ID,
    url: TEXT,
    shortUrl: TEXT,
    shortLink: TEXT,
    prefs: OBJECT,
    labelNames: { type: 'object', additionalProperties: TEXT },
    dateLastActivity: TIME
  }),
  List: object({ name: TEXT, closed: FLAG, pos: NUMBER, idBoard: ID }),
  Label: object({ idBoard: ID, name: TEXT, color: OPTIONAL_TEXT }),
  TrelloCard: object({
    name: TEXT,
    desc: TEXT,
    closed: FLAG,
    pos: NUMBER,
    idBoard: ID,
    idList: ID,
    idShort: NUMBER,
    shortLink: TEXT,
    shortUrl: TEXT,
    url: TEXT,
    due: OPTIONAL_TIME,
    dueComplete: FLAG,
    start: OPTIONAL_TIME,
    dateLastActivity: TIME,
    idMembers: IDS,
    idLabels: IDS,
    labels: list(ref('Label')),
    idChecklists: IDS,
    idAttachmentCover: OPTIONAL_ID,
    cover: OBJECT,
    badges: OBJECT,
    attachments: list(ref('Attachment')),
    customFieldItems: list(ref('CustomFieldItem'))
  }),
  Attachment: object({
    name: TEXT,
    url: TEXT,
    bytes: { type: ['integer', 'null'] },
    date: TIME,
    mimeType: TEXT,
    isUpload: FLAG,
    pos: NUMBER,
    previews: list(OBJECT)
  }),
  CustomField: object({
    idModel: ID,
    modelType: TEXT,
    name: TEXT,
    pos: NUMBER,
    type: { enum: ['checkbox', 'list', 'number', 'text', 'date'] },
    display: OBJECT,
    options: list(OBJECT)
  }),
  CustomFieldItem: object({
    idCustomField: ID,
    idModel: ID,
    modelType: TEXT,
    value: OBJECT,
    idValue: ID
  }),
  Checklist: object({ name: TEXT, idBoard: ID, idCard: ID, pos: NUMBER, checkItems: list(OBJECT) }),
  Action: object({ type: TEXT, date: TIME, idMemberCreator: TEXT, data: OBJECT }),
  Member: object({ username: TEXT, fullName: TEXT, initials: TEXT, url: TEXT, idBoards: IDS }),
  Organization: object({ name: TEXT, displayName: TEXT, url: TEXT, idBoards: IDS }),
  Token: object({
    identifier: TEXT,
    idMember: ID,
    dateCreated: TIME,
    dateExpires: OPTIONAL_TIME,
    permissions: list(OBJECT)
  }),
  Webhook: object({
    description: TEXT,
    idModel: ID,
    callbackURL: TEXT,
    active: FLAG,
    consecutiveFailures: NUMBER,
    firstConsecutiveFailDate: OPTIONAL_TIME,
    events: list({ enum: ['publish', 'unpublish', 'update'] }),
    secret: TEXT
  }),
  LimitError: {
    type: 'object',
    required: ['error', 'message'],
    properties: { error: TEXT, message: TEXT }
  }
}
