import type { Externals } from '../document/external-examples.ts'
import {
  arrayAt,
  isObject,
  type Json,
  type JsonObject,
  memberOf,
  objectAt,
  stringAt
} from '../document/json.ts'
import type {
  Encoding,
  Example,
  MediaType,
  Parameter,
  ParameterLocation,
  RequestBody,
  ResponseHeader
} from './api.ts'
import { readExternalValue } from './external-value.ts'
import { below, type Located, type Resolve } from './resolve.ts'

const PARAMETER_LOCATIONS: readonly string[] = ['path', 'query', 'header', 'cookie']
const DEFAULT_STYLES: Readonly<Record<ParameterLocation, string>> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form'
}
/** Defined by RFC 9110 and the security schemes; parameters with these names are ignored. */
const RESERVED_HEADERS = ['accept', 'content-type', 'authorization']

export interface Readers {
  resolve: Resolve
  externals: Externals
  /** Parameters of the path and of the operation; those of the operation take precedence. */
  parameters: (item: Located, operation: Located) => Parameter[]
  requestBody: (given: Json | undefined, pointer: string) => RequestBody | undefined
  headers: (response: Located) => ResponseHeader[]
}

export function createReaders(resolve: Resolve, externals: Externals): Readers {
  const readers: Readers = {
    resolve,
    externals,
    parameters(item, operation) {
      const found = [...parametersOf(readers, item), ...parametersOf(readers, operation)]
      const merged = new Map(found.map((parameter) => [keyOf(parameter), parameter]))
      return [...merged.values()]
    },
    requestBody(given, pointer) {
      const body = resolve(given, pointer)
      if (body === undefined) return undefined
      return { required: body.node.required === true, contents: contentsOf(readers, body) }
    },
    headers(response) {
      return Object.entries(objectAt(response.node, 'headers')).flatMap(([name, given]) => {
        const header = resolve(given, below(response, 'headers', name))
        return header === undefined ? [] : [readHeader(readers, name, header)]
      })
    }
  }
  return readers
}

function keyOf({ name, in: location }: Parameter): string {
  return `${location} ${location === 'header' ? name.toLowerCase() : name}`
}

function parametersOf(readers: Readers, owner: Located): Parameter[] {
  return arrayAt(owner.node, 'parameters').flatMap((given, index) => {
    const parameter = readers.resolve(given, below(owner, 'parameters', String(index)))
    return parameter === undefined ? [] : readParameter(readers, parameter)
  })
}

function readParameter(readers: Readers, parameter: Located): Parameter[] {
  const { node } = parameter
  const name = stringAt(node, 'name')
  const location = stringAt(node, 'in')
  if (name === undefined || !isParameterLocation(location)) return []
  if (location === 'header' && RESERVED_HEADERS.includes(name.toLowerCase())) return []
  const style = stringAt(node, 'style') ?? DEFAULT_STYLES[location]
  return [
    {
      name,
      in: location,
      required: node.required === true || location === 'path',
      deprecated: node.deprecated === true,
      style,
      explode: typeof node.explode === 'boolean' ? node.explode : style === 'form',
      allowReserved: node.allowReserved === true,
      delimiter: stringAt(node, 'x-nonet-delimiter'),
      schema: schemaPointer(parameter),
      content: contentsOf(readers, parameter)[0],
      examples: examplesOf(readers, parameter)
    }
  ]
}

function isParameterLocation(location: string | undefined): location is ParameterLocation {
  return location !== undefined && PARAMETER_LOCATIONS.includes(location)
}

function schemaPointer(owner: Located): string | undefined {
  const schema = memberOf(owner.node, 'schema')
  return isObject(schema) || typeof schema === 'boolean' ? below(owner, 'schema') : undefined
}

function readHeader(readers: Readers, name: string, header: Located): ResponseHeader {
  return {
    name: name.toLowerCase(),
    required: header.node.required === true,
    explode: header.node.explode === true,
    schema: schemaPointer(header),
    content: contentsOf(readers, header)[0],
    examples: examplesOf(readers, header)
  }
}

export function contentsOf(readers: Readers, owner: Located): MediaType[] {
  return Object.entries(objectAt(owner.node, 'content')).flatMap(([type, given]) => {
    if (!isObject(given)) return []
    const media = { node: given, pointer: below(owner, 'content', type) }
    return [
      {
        type,
        schema: schemaPointer(media),
        examples: examplesOf(readers, media, type),
        encoding: encodingOf(given)
      }
    ]
  })
}

function encodingOf(media: JsonObject): Map<string, Encoding> {
  const entries = Object.entries(objectAt(media, 'encoding')).map(([name, node]) => {
    const explode = memberOf(node, 'explode')
    const encoding: Encoding = {
      contentType: stringAt(node, 'contentType'),
      style: stringAt(node, 'style'),
      explode: typeof explode === 'boolean' ? explode : undefined,
      allowReserved: memberOf(node, 'allowReserved') === true,
      delimiter: stringAt(node, 'x-nonet-delimiter')
    }
    return [name, encoding] as const
  })
  return new Map(entries)
}

/** The unnamed example is first, because it is the one that the author shows. */
function examplesOf(readers: Readers, owner: Located, type = 'text/plain'): Example[] {
  const { node } = owner
  const single: Example[] = Object.hasOwn(node, 'example')
    ? [
        {
          key: 'default',
          pointer: below(owner, 'example'),
          externalValue: undefined,
          value: node.example
        }
      ]
    : []
  const named = Object.entries(objectAt(node, 'examples')).flatMap(([key, given]) => {
    const example = readers.resolve(given, below(owner, 'examples', key))
    return example === undefined ? [] : [readExample(readers, key, example, type)]
  })
  return [...single, ...named]
}

function readExample({ externals }: Readers, key: string, example: Located, type: string): Example {
  const externalValue = stringAt(example.node, 'externalValue')
  const value = memberOf(example.node, 'value')
  const bytes = externalValue === undefined ? undefined : externals.get(externalValue)
  if (value !== undefined || bytes === undefined) {
    return { key, pointer: below(example, 'value'), externalValue, value }
  }
  const pointer = below(example, 'externalValue')
  return { key, pointer, externalValue, value: readExternalValue(bytes, type), bytes }
}
