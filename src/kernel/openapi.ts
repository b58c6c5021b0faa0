/** A part of an OpenAPI document. */
export type OpenapiPart = Readonly<Record<string, unknown>>

const JSON_TYPE = 'application/json'
const STRING: OpenapiPart = { type: 'string' }

/** For the description of an API whose errors the document shows in the format for programs. */
export const ERROR_PAGES =
  'A browser that opens a URL gets errors as HTML pages, with the same status.'

/** A reference to a schema of the same document. */
export function ref(name: string): OpenapiPart {
  return { $ref: `#/components/schemas/${name}` }
}

/** The same schema for each of these media types; JSON by default. */
export function content(schema: object, ...types: readonly string[]): OpenapiPart {
  const named = types.length === 0 ? [JSON_TYPE] : types
  return Object.fromEntries(named.map((type) => [type, { schema }]))
}

export function requestBody(schema: object, ...types: readonly string[]): OpenapiPart {
  return { required: true, content: content(schema, ...types) }
}

/** Without a schema the response has no body. */
export function response(description: string, schema?: object, type = JSON_TYPE): OpenapiPart {
  return schema === undefined ? { description } : { description, content: content(schema, type) }
}

export type DescribeOperation = (
  operationId: string,
  summary: string,
  responses: OpenapiPart,
  more?: OpenapiPart
) => OpenapiPart

/** For operations that have the security and the error responses in common. */
export function operationsWith(
  security: readonly OpenapiPart[],
  errors: OpenapiPart
): DescribeOperation {
  return (operationId, summary, responses, more = {}) => ({
    operationId,
    summary,
    security,
    ...more,
    responses: { ...responses, ...errors }
  })
}

export function inPath(name: string, description?: string, schema: object = STRING): OpenapiPart {
  return { name, in: 'path', required: true, ...described(description), schema }
}

export function inQuery(name: string, description?: string, schema: object = STRING): OpenapiPart {
  return { name, in: 'query', ...described(description), schema }
}

export function inHeader(name: string, description?: string, schema: object = STRING): OpenapiPart {
  return { name, in: 'header', ...described(description), schema }
}

function described(description: string | undefined): OpenapiPart {
  return description === undefined ? {} : { description }
}
