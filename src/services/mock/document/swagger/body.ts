import { isObject, type Json, type JsonObject } from '../json.ts'
import { schemaOf, styleOf } from './parameter.ts'

const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data']

export function bodyOf(
  parameters: readonly JsonObject[],
  consumes: readonly Json[]
): JsonObject | undefined {
  if (parameters.length === 0) return undefined
  const types = consumes.filter((type) => typeof type === 'string')
  const body = parameters.find((parameter) => parameter.in === 'body')
  return body === undefined
    ? formBody(parameters, types.filter(isForm))
    : plainBody(
        body,
        types.filter((type) => !isForm(type))
      )
}

function isForm(type: string): boolean {
  return FORMS.some((form) => type.toLowerCase().startsWith(form))
}

function plainBody(parameter: JsonObject, types: readonly string[]): JsonObject {
  const { schema, required, description } = parameter
  const media: JsonObject = isObject(schema) ? { schema } : {}
  const examples = parameter['x-examples']
  const accepted = types.length === 0 ? ['application/json'] : types
  const content = accepted.map((type) => {
    const example = isObject(examples) ? examples[type] : parameter['x-example']
    return [type, example === undefined ? media : { ...media, example }]
  })
  return {
    content: Object.fromEntries(content),
    ...(required === true ? { required } : {}),
    ...(description === undefined ? {} : { description })
  }
}

/** Each field of a form becomes a property. */
function formBody(fields: readonly JsonObject[], types: readonly string[]): JsonObject {
  const named = fields.map((field): [string, JsonObject] => [String(field.name), field])
  const required = named.filter(([, field]) => field.required === true).map(([name]) => name)
  const schema: JsonObject = {
    type: 'object',
    properties: Object.fromEntries(named.map(([name, field]) => [name, schemaOf(field)])),
    ...(required.length === 0 ? {} : { required })
  }
  const lists = named.filter(([, field]) => field.type === 'array')
  const encoding = Object.fromEntries(lists.map(([name, field]) => [name, { ...styleOf(field) }]))
  const media: JsonObject = lists.length === 0 ? { schema } : { schema, encoding }
  const hasFile = fields.some((field) => field.type === 'file')
  const usual = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
  const accepted = types.length === 0 ? [usual] : types
  return {
    content: Object.fromEntries(accepted.map((type) => [type, media])),
    ...(required.length === 0 ? {} : { required: true })
  }
}
