import { type OpenapiPart, ref } from '../../../kernel/openapi.ts'
import type { BoardParts } from '../store/content.ts'
import type { FieldType } from '../store/rows.ts'

const TEXT: OpenapiPart = { type: 'string' }
const NUMBER: OpenapiPart = { type: 'number' }
const TIME: OpenapiPart = { type: 'string', format: 'date-time' }
const orNull = (type: string, more: object = {}): OpenapiPart => ({ type: [type, 'null'], ...more })

function object(properties: Readonly<Record<string, OpenapiPart>>): OpenapiPart {
  return { type: 'object', required: Object.keys(properties), properties }
}

function arrayOf(items: OpenapiPart): OpenapiPart {
  return { type: 'array', items }
}

const LABEL = object({ id: TEXT, name: TEXT, color: orNull('string') })

const FIELD_TYPES: Readonly<Record<FieldType, OpenapiPart>> = {
  text: orNull('string'),
  // Numbers that JSON would change are strings.
  number: { type: ['number', 'string', 'null'] },
  checkbox: { type: 'boolean' },
  date: orNull('string', { format: 'date-time' }),
  list: orNull('string')
}

/** By name; of fields with the same name the first counts. */
export function fieldSchemas({
  fields,
  options
}: Pick<BoardParts, 'fields' | 'options'>): Record<string, OpenapiPart> {
  const schemas = new Map<string, OpenapiPart>()
  for (const { id, name, type } of fields) {
    const texts = options.filter(({ field }) => field === id).map(({ text }) => text)
    const isChoice = type === 'list' && texts.length > 0
    const schema = isChoice ? { ...FIELD_TYPES.list, enum: [...texts, null] } : FIELD_TYPES[type]
    if (!schemas.has(name)) schemas.set(name, schema)
  }
  return Object.fromEntries(schemas)
}

const PUBLISH_AT = orNull('string', {
  format: 'date-time',
  description: 'When the card will be public; only for viewers that see drafts'
})

function cardSchema(fields: OpenapiPart): OpenapiPart {
  const shown = shownCard(fields)
  return { ...shown, properties: { ...(shown.properties as object), publishAt: PUBLISH_AT } }
}

function shownCard(fields: OpenapiPart): OpenapiPart {
  return object({
    id: TEXT,
    slug: orNull('string'),
    title: TEXT,
    description: { ...TEXT, description: 'Markdown' },
    descriptionHtml: { ...TEXT, description: 'Safe HTML' },
    excerpt: { ...TEXT, maxLength: 200 },
    images: arrayOf(ref('Image')),
    cover: orNull('string', { description: 'Id of an image' }),
    labels: arrayOf(LABEL),
    completedAt: orNull('string', { format: 'date' }),
    url: orNull('string', { format: 'uri' }),
    fields,
    list: object({ id: TEXT, name: TEXT }),
    pos: NUMBER,
    publishedAt: orNull('string', { format: 'date-time' }),
    updatedAt: TIME,
    revision: { type: 'integer' }
  })
}

const ANY_FIELDS: OpenapiPart = {
  type: 'object',
  description: 'Custom fields of the board by name',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] }
}

/** `parts` are those of the board that the document is for. */
export function contentSchemas(parts?: BoardParts): Record<string, OpenapiPart> {
  return {
    Card: cardSchema(parts === undefined ? ANY_FIELDS : object(fieldSchemas(parts))),
    Image: object({
      id: TEXT,
      alt: TEXT,
      width: { type: 'integer' },
      height: { type: 'integer' },
      mimeType: TEXT,
      bytes: { type: 'integer' },
      url: { ...TEXT, format: 'uri' },
      dominantColor: orNull('string'),
      srcset: arrayOf(object({ width: { type: 'integer' }, url: TEXT, format: TEXT }))
    }),
    CardList: object({
      cards: arrayOf(ref('Card')),
      next: orNull('string', { description: 'Cursor of the next page' }),
      total: { type: 'integer' }
    }),
    Board: object({
      id: TEXT,
      slug: TEXT,
      name: TEXT,
      description: TEXT,
      descriptionHtml: TEXT,
      url: TEXT,
      timeZone: TEXT,
      completedField: orNull('string'),
      urlField: orNull('string'),
      lists: arrayOf(
        object({
          id: TEXT,
          name: TEXT,
          role: { enum: ['draft', 'published', 'archive'] },
          cards: { type: 'integer' }
        })
      ),
      labels: arrayOf(LABEL),
      fields: arrayOf({ type: 'object', required: ['id', 'name', 'type'] }),
      cards: { type: 'integer' },
      revision: { type: 'integer' },
      updatedAt: TIME
    }),
    BoardList: object({ boards: arrayOf(object({ slug: TEXT, name: TEXT, url: TEXT })) }),
    Problem: {
      ...object({ type: TEXT, title: TEXT, status: { type: 'integer' }, code: TEXT }),
      description: '`detail` says what to do, for some codes'
    }
  }
}
