import { isObject, type Json, type JsonObject, memberOf } from '../kernel/json.ts'
import { findAt, splitPointer } from '../kernel/json-pointer.ts'

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace']
/** References to references, of which a document may have a circle. */
const MAX_REFERENCES = 10

/** One operation of an OpenAPI document, as the page of the API shows it. */
export interface Operation {
  /** Unique in the document; may be used in URLs. */
  id: string
  method: string
  path: string
  summary: string
  description: string
  parameters: Parameter[]
  /** Media types of the request body with their schemas. */
  body: Content[]
  responses: ApiResponse[]
}

export interface Parameter {
  name: string
  location: string
  isRequired: boolean
  type: string
  description: string
}

export interface Content {
  mediaType: string
  type: string
}

export interface ApiResponse {
  status: string
  description: string
  content: Content[]
}

/** Operations in the order of the document. Parts of an unexpected type are omitted. */
export function operationsOf(document: Json): Operation[] {
  const paths = memberOf(document, 'paths')
  const ids = new Set<string>()
  return entriesOf(paths).flatMap(([path, value]) => {
    const item = resolve(document, value)
    return METHODS.filter((method) => isObject(item[method])).map((method) =>
      describeOperation({ document, path, method, item, ids })
    )
  })
}

interface Source {
  document: Json
  path: string
  method: string
  item: JsonObject
  ids: Set<string>
}

function describeOperation({ document, path, method, item, ids }: Source): Operation {
  const operation = resolve(document, item[method])
  const responses = entriesOf(operation.responses).map(([status, value]) =>
    describeResponse(document, status, value)
  )
  const parameters = [...elementsOf(item.parameters), ...elementsOf(operation.parameters)]
  const description = textOf(operation.description)
  return {
    id: uniqueId(`${method}-${path}`, ids),
    method: method.toUpperCase(),
    path,
    summary: textOf(operation.summary) || firstSentence(description || firstDescription(responses)),
    description,
    parameters: parameters.map((value) => describeParameter(resolve(document, value))),
    body: contentOf(resolve(document, operation.requestBody).content),
    responses
  }
}

function uniqueId(text: string, ids: Set<string>): string {
  const base = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')
  let id = base
  for (let number = 2; ids.has(id); number++) id = `${base}-${number}`
  ids.add(id)
  return id
}

function firstDescription(responses: readonly ApiResponse[]): string {
  const success = responses.find(({ status }) => status.startsWith('2'))
  return success?.description ?? ''
}

function firstSentence(text: string): string {
  return /^[^\n]*?[.:](?=\s|$)|^[^\n]*/.exec(text)?.[0] ?? ''
}

function describeParameter(parameter: JsonObject): Parameter {
  return {
    name: textOf(parameter.name),
    location: textOf(parameter.in),
    isRequired: parameter.required === true,
    type: typeOf(parameter.schema),
    description: textOf(parameter.description)
  }
}

function describeResponse(document: Json, status: string, value: Json): ApiResponse {
  const response = resolve(document, value)
  return {
    status,
    description: textOf(response.description),
    content: contentOf(response.content)
  }
}

function contentOf(content: Json | undefined): Content[] {
  return entriesOf(content).map(([mediaType, value]) => ({
    mediaType,
    type: typeOf(memberOf(value, 'schema'))
  }))
}

/** A short name of a schema, such as `Person[]` or `asc | desc`; empty if it has none. */
export function typeOf(schema: Json | undefined): string {
  if (!isObject(schema)) return ''
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1) ?? ''
  if (Array.isArray(schema.enum)) return schema.enum.map(String).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const alternatives = schema.oneOf ?? schema.anyOf
  if (Array.isArray(alternatives)) return joined(alternatives.map(typeOf))
  if (schema.type === 'array') return `${typeOf(schema.items) || 'any'}[]`
  return Array.isArray(schema.type) ? joined(schema.type.map(String)) : textOf(schema.type)
}

function joined(types: readonly string[]): string {
  return [...new Set(types)].filter((type) => type !== '').join(' | ')
}

/** The object, or the one in the same document that it refers to. */
function resolve(document: Json, value: Json | undefined): JsonObject {
  let found = value
  for (let steps = 0; steps < MAX_REFERENCES; steps++) {
    const reference = memberOf(found, '$ref')
    if (typeof reference !== 'string' || !reference.startsWith('#/')) break
    found = findAt(document, splitPointer(decodeURI(reference.slice(1))))
  }
  return isObject(found) ? found : {}
}

function entriesOf(value: Json | undefined): [string, Json][] {
  return isObject(value) ? Object.entries(value) : []
}

function elementsOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
