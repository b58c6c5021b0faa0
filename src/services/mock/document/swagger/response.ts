import { isObject, type Json, type JsonObject, mapMembers } from '../json.ts'
import { schemaOf, styleOf } from './parameter.ts'

/**
 * One content per media type that the operation produces. If it produces none, the examples of the
 * response name its types; without examples it has no content.
 */
export function convertResponse(response: JsonObject, produces: readonly Json[]): JsonObject {
  const { schema, examples, headers, ...rest } = response
  const named = produces.filter((type) => typeof type === 'string')
  const types = named.length === 0 && isObject(examples) ? shownTypes(examples) : named
  const converted: JsonObject = { ...rest }
  if (isObject(headers)) {
    converted.headers = mapMembers(headers, (header) =>
      isObject(header) ? convertHeader(header) : header
    )
  }
  if (types.length > 0 && (schema !== undefined || isObject(examples))) {
    converted.content = contentOf(types, schema, isObject(examples) ? examples : {})
  }
  return converted
}

function shownTypes(examples: JsonObject): string[] {
  return Object.keys(examples).filter((type) => !type.startsWith('x-'))
}

function contentOf(
  types: readonly string[],
  schema: Json | undefined,
  examples: JsonObject
): JsonObject {
  const content: Record<string, JsonObject> = Object.fromEntries(
    types.map((type) => [type, schema === undefined ? {} : { schema }])
  )
  const [first = ''] = types
  for (const [type, example] of Object.entries(examples)) {
    // An example of another media type is used for the first one, because it shows the response.
    const media = Object.hasOwn(content, type) ? content[type] : content[first]
    if (media !== undefined && media.example === undefined) media.example = example
  }
  return content
}

function convertHeader(header: JsonObject): JsonObject {
  const { description } = header
  const target: JsonObject = { ...header, in: 'header' }
  return {
    schema: schemaOf(header),
    ...(description === undefined ? {} : { description }),
    ...(header.type === 'array' ? styleOf(target) : {})
  }
}
