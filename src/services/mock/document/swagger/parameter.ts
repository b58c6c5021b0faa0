import { isObject, type JsonObject, stringAt } from '../json.ts'

/** Members that describe the parameter, not its value. */
const OWN_MEMBERS = [
  'name',
  'in',
  'description',
  'required',
  'allowEmptyValue',
  'collectionFormat',
  'x-deprecated',
  'x-example',
  'x-examples'
]

export interface Style {
  style: string
  explode: boolean
  /** Set because version 3 has no style for these separators, such as tabs. */
  'x-nonet-delimiter'?: string
}

const QUERY_STYLES: Readonly<Record<string, Style>> = {
  csv: { style: 'form', explode: false },
  ssv: { style: 'spaceDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
  tsv: { style: 'form', explode: false, 'x-nonet-delimiter': '\t' },
  multi: { style: 'form', explode: true }
}

const SIMPLE_DELIMITERS: Readonly<Record<string, string>> = { ssv: ' ', pipes: '|', tsv: '\t' }

export function isBodyParameter(parameter: JsonObject): boolean {
  return parameter.in === 'body' || parameter.in === 'formData'
}

export function convertParameter(parameter: JsonObject): JsonObject {
  if (typeof parameter.$ref === 'string') {
    return { $ref: parameter.$ref.replace('#/parameters/', '#/components/parameters/') }
  }
  const { name = '', in: location = 'query', description, required } = parameter
  const converted: JsonObject = { name, in: location, schema: schemaOf(parameter) }
  if (description !== undefined) converted.description = description
  if (required === true || location === 'path') converted.required = true
  if (parameter['x-deprecated'] === true) converted.deprecated = true
  const examples = parameter['x-examples']
  const example = parameter['x-example']
  if (example !== undefined) converted.example = example
  else if (isObject(examples)) {
    converted.examples = Object.fromEntries(
      Object.entries(examples).map(([key, value]) => [key, { value }])
    )
  }
  if (parameter.type === 'array') Object.assign(converted, styleOf(parameter))
  return converted
}

/** The members that describe the value, as a schema. */
export function schemaOf(parameter: JsonObject): JsonObject {
  const members = Object.entries(parameter).filter(([name]) => !OWN_MEMBERS.includes(name))
  const schema: JsonObject = Object.fromEntries(members)
  const isText = schema.type === 'string' && schema.minLength === undefined
  if (parameter.allowEmptyValue === false && isText) schema.minLength = 1
  return schema
}

export function styleOf(parameter: JsonObject): Style {
  const format = stringAt(parameter, 'collectionFormat') ?? 'csv'
  if (parameter.in === 'path' || parameter.in === 'header') {
    const delimiter = SIMPLE_DELIMITERS[format]
    const style: Style = { style: 'simple', explode: false }
    return delimiter === undefined ? style : { ...style, 'x-nonet-delimiter': delimiter }
  }
  return QUERY_STYLES[format] ?? { style: 'form', explode: false }
}
