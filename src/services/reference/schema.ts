import { type Field, RESOURCES, type TypeName } from './contract.ts'

export interface RecordSchema {
  title: string
  description: string
  type: 'object'
  properties: Record<string, object>
  required: string[]
}

/** JSON Schema of a record, from the same table as the records. */
export function recordSchema(type: TypeName): RecordSchema {
  const { title, about, fields } = RESOURCES[type]
  return {
    title,
    description: about,
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    required: fields.map(({ name }) => name)
  }
}

/** JSON Schema of a record that `fields`, `expand` and `include` have changed. */
export function viewSchema(type: TypeName): object {
  const { title, fields } = RESOURCES[type]
  return {
    title: `${title}, selected fields`,
    description: 'Some of the fields; expanded links are records.',
    type: 'object',
    properties: {
      ...Object.fromEntries(fields.map((field) => [field.name, shapedField(field)])),
      image: { type: 'string', format: 'uri', description: 'URL of an image.' }
    },
    minProperties: 1,
    additionalProperties: false
  }
}

function shapedField(field: Field): object {
  const plain = fieldSchema(field)
  const expanded = { type: 'object', description: 'The linked record.' }
  if (field.kind === 'link') return { anyOf: [plain, expanded] }
  if (field.kind === 'links') return { anyOf: [plain, { type: 'array', items: expanded }] }
  return plain
}

/** `/api/<type>/schema`, in the JSON Schema draft of SWAPI. */
export function draft4Schema(type: TypeName): object {
  return { $schema: 'http://json-schema.org/draft-04/schema', ...recordSchema(type) }
}

const FORMATS: Readonly<Partial<Record<Field['kind'], string>>> = {
  date: 'date',
  time: 'date-time',
  url: 'uri',
  link: 'uri'
}

function fieldSchema(field: Field): object {
  const description = field.about
  if (field.kind === 'integer') return { type: 'integer', description }
  if (field.kind === 'links') {
    return { type: 'array', items: { type: 'string', format: 'uri' }, description }
  }
  const nullable = field.kind === 'link' && field.nullable === true
  const format = FORMATS[field.kind]
  const type = nullable ? ['string', 'null'] : 'string'
  return format === undefined ? { type, description } : { type, format, description }
}
