import {
  MAX_ACTION_BYTES,
  MAX_ATTACHMENTS,
  MAX_CHECK_ITEMS,
  MAX_CHECKLISTS,
  MAX_OPTIONS,
  MAX_PARTS,
  MAX_URL_LENGTH,
  TEXT_LIMITS
} from '../limits.ts'
import { MAX_BATCH_ACTIONS, MAX_BATCH_CARDS } from '../protocol.ts'

/** JSON Schemas of the requests in `protocol.ts`. */
const text = (maxLength: number) => ({ type: 'string', maxLength })
const id = { type: 'string', pattern: '^[0-9a-f]{24}$' }
const hash = { type: 'string', pattern: '^[0-9a-f]{64}$' }
const link = { type: 'string', pattern: '^[A-Za-z0-9]{8}$' }
const slug = {
  type: 'string',
  pattern: '^[\\p{Letter}\\p{Number}][\\p{Letter}\\p{Number}-]{0,99}$'
}
const time = {
  type: 'string',
  pattern: '^[1-9][0-9]{3}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9][.][0-9]{3}Z$'
}
const url = { type: 'string', maxLength: MAX_URL_LENGTH, pattern: '^(?:[Hh][Tt]{2}[Pp][Ss]?):' }
const whole = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
const small = { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1 }
const pos = { type: 'number', minimum: 0 }
const flag = { type: 'boolean' }
const color = { anyOf: [{ type: 'string', pattern: '^[a-z_]{1,30}$' }, { type: 'null' }] }
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })
const one = (...values: string[]) => ({ enum: values })

interface Properties {
  readonly [name: string]: object
}

/** All properties are required, except those of `optional`. */
function object(required: Properties, optional: Properties = {}): object {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false
  }
}

function list(items: object, maxItems: number): object {
  return { type: 'array', items, maxItems }
}

const name = text(TEXT_LIMITS.name)
const label = text(TEXT_LIMITS.label)

const board = object(
  {
    id,
    name,
    description: text(TEXT_LIMITS.description),
    isClosed: flag,
    permission: one('private', 'org', 'public'),
    prefs: {
      type: 'object',
      maxProperties: 50,
      additionalProperties: { type: ['string', 'boolean'] }
    },
    labelNames: { type: 'object', maxProperties: 50, additionalProperties: label }
  },
  {
    shortLink: link,
    slug,
    timeZone: text(64),
    completedField: orNull(id),
    urlField: orNull(id),
    lastNumber: small,
    owner: object({ id, userName: text(100), fullName: text(200) })
  }
)

const boardList = object(
  { id, name, isClosed: flag, pos },
  { role: one('draft', 'published', 'archive') }
)
const option = object({
  id,
  text: label,
  color: { type: 'string', pattern: '^[a-z_]{1,30}$' },
  pos
})
const field = object(
  {
    id,
    name: label,
    type: one('checkbox', 'list', 'number', 'text', 'date'),
    pos,
    cardFront: flag,
    options: list(option, MAX_OPTIONS)
  },
  { group: hash }
)

const item = object(
  { id, field: id },
  {
    option: id,
    value: { type: 'object', maxProperties: 1, additionalProperties: text(TEXT_LIMITS.value) }
  }
)

const image = object(
  { hash, size: whole, mediaType: text(100), width: small, height: small },
  { color: text(7) }
)
const upload = object({ fileName: text(300), hash, size: whole }, { image })
const attachment = object(
  { id, name: text(TEXT_LIMITS.attachment), mediaType: text(201), pos, createdAt: time },
  { alt: text(TEXT_LIMITS.alt), url, fileName: text(300), bytes: small, upload }
)

const checkItem = object({ id, name, isComplete: flag, pos, due: orNull(time) })
const checklist = object({ id, name, pos, items: list(checkItem, MAX_CHECK_ITEMS) })

const card = object(
  {
    id,
    list: id,
    name,
    description: text(TEXT_LIMITS.description),
    isClosed: flag,
    pos,
    due: orNull(time),
    isDueComplete: flag,
    dueReminder: orNull({ type: 'integer', minimum: -1, maximum: 2 ** 31 - 1 }),
    start: orNull(time),
    cover: object({
      attachment: orNull(id),
      isManual: flag,
      color,
      size: one('normal', 'full'),
      brightness: one('light', 'dark')
    }),
    isTemplate: flag,
    cardRole: orNull(text(32)),
    location: orNull(text(10_000)),
    hasMember: flag,
    changedAt: time,
    labels: list(id, MAX_PARTS),
    items: list(item, MAX_PARTS),
    attachments: list(attachment, MAX_ATTACHMENTS),
    checklists: list(checklist, MAX_CHECKLISTS)
  },
  {
    shortLink: link,
    number: { ...small, minimum: 1 },
    publishAt: orNull(time),
    publication: object({
      slug,
      isSlugSet: flag,
      publishedAt: time,
      formerSlugs: list(slug, 100)
    })
  }
)

const action = object(
  { id, type: text(64), data: text(MAX_ACTION_BYTES), createdAt: time },
  { card: id, list: id }
)

const shared = { board: id, dryRun: flag }

export const SCHEMAS = {
  board: object({ board, dryRun: flag }, { member: text(100) }),
  parts: object(
    {
      ...shared,
      lists: list(boardList, MAX_PARTS),
      labels: list(object({ id, name: label, color }), MAX_PARTS),
      fields: list(field, MAX_PARTS),
      isChanged: flag
    },
    { mapping: object({ completedField: orNull(id), urlField: orNull(id) }) }
  ),
  known: object({ board: id, attachments: list(id, 50_000) }),
  download: object({ url, fileName: text(300), key: text(200), token: text(200) }),
  cards: object({ ...shared, cards: list(card, MAX_BATCH_CARDS) }),
  actions: object({ ...shared, actions: list(action, MAX_BATCH_ACTIONS) })
} as const
