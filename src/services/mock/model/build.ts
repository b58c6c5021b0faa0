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
import { METHODS } from '../document/openapi-structure.ts'
import { formatPointer } from '../document/pointer.ts'
import type { Api, Callback, Operation, ResponseModel, Server } from './api.ts'
import { contentsOf, createReaders, type Readers } from './parts.ts'
import { below, createResolve, type Located } from './resolve.ts'
import { createSecurity, type Security } from './security.ts'

/** A response without any of these members is ignored. */
const RESPONSE_MEMBERS = ['description', 'headers', 'content', 'links', '$ref']

/** Reads a document of version 3.1 into the model. */
export function buildApi(document: JsonObject, externals: Externals = new Map()): Api {
  const resolve = createResolve(document)
  const readers = createReaders(resolve, externals)
  const context: BuildContext = { document, readers, security: createSecurity(document, resolve) }
  return {
    title: stringAt(objectAt(document, 'info'), 'title') ?? 'API',
    operations: operationsOf(context, document, 'paths'),
    // Older versions have no webhooks; authors use the extension `x-webhooks`.
    webhooks: ['webhooks', 'x-webhooks'].flatMap((section) =>
      operationsOf(context, document, section)
    )
  }
}

interface BuildContext {
  document: JsonObject
  readers: Readers
  security: Security
}

function operationsOf(context: BuildContext, document: JsonObject, section: string): Operation[] {
  return Object.entries(objectAt(document, section)).flatMap(([path, item]) => {
    if (path.startsWith('x-') || !isObject(item)) return []
    return readPathItem(context, path, { node: item, pointer: formatPointer([section, path]) })
  })
}

function readPathItem(context: BuildContext, path: string, item: Located): Operation[] {
  return Object.keys(item.node).flatMap((method) => {
    const node = memberOf(item.node, method)
    if (!isMethod(method) || !isObject(node)) return []
    return [readOperation(context, method, path, item, { node, pointer: below(item, method) })]
  })
}

function isMethod(name: string): boolean {
  return (METHODS as readonly string[]).includes(name)
}

function readOperation(
  context: BuildContext,
  method: string,
  path: string,
  item: Located,
  operation: Located
): Operation {
  const { readers, document, security } = context
  const { node } = operation
  return {
    method: method.toUpperCase(),
    path,
    pointer: operation.pointer,
    id: stringAt(node, 'operationId'),
    summary: stringAt(node, 'summary'),
    tags: arrayAt(node, 'tags').filter((tag) => typeof tag === 'string'),
    deprecated: node.deprecated === true,
    parameters: readers.parameters(item, operation),
    requestBody: readers.requestBody(node.requestBody, below(operation, 'requestBody')),
    responses: readResponses(context, operation),
    security: security.requirements(memberOf(node, 'security') ?? memberOf(document, 'security')),
    servers: serversOf(node, item.node, document),
    callbacks: readCallbacks(context, operation)
  }
}

function readResponses({ readers }: BuildContext, operation: Located): ResponseModel[] {
  return Object.entries(objectAt(operation.node, 'responses')).flatMap(([code, given]) => {
    const response = readers.resolve(given, below(operation, 'responses', code))
    if (response === undefined || code.startsWith('x-')) return []
    if (!RESPONSE_MEMBERS.some((name) => Object.hasOwn(response.node, name))) return []
    return [
      {
        code: /^[1-5]xx$/i.test(code) ? code.toUpperCase() : code,
        pointer: response.pointer,
        contents: contentsOf(readers, response),
        headers: readers.headers(response)
      }
    ]
  })
}

function serversOf(...owners: readonly JsonObject[]): Server[] {
  const owner = owners.find((node) => arrayAt(node, 'servers').length > 0)
  return arrayAt(owner, 'servers').flatMap((server) => {
    const url = stringAt(server, 'url')
    if (url === undefined) return []
    const variables = Object.entries(objectAt(server, 'variables')).map(
      ([name, variable]) => [name, readVariable(variable)] as const
    )
    return [{ url, variables: new Map(variables) }]
  })
}

function readVariable(variable: Json): { default: string; values: string[] } {
  return {
    default: String(memberOf(variable, 'default') ?? ''),
    values: arrayAt(variable, 'enum').map(String)
  }
}

function readCallbacks(context: BuildContext, operation: Located): Callback[] {
  const { resolve } = context.readers
  return Object.entries(objectAt(operation.node, 'callbacks')).flatMap(([key, given]) => {
    const callback = resolve(given, below(operation, 'callbacks', key))
    if (callback === undefined) return []
    return Object.entries(callback.node).flatMap(([expression, item]) => {
      if (expression.startsWith('x-') || !isObject(item)) return []
      const resolved = { node: item, pointer: below(callback, expression) }
      // Callbacks of a callback are dropped, because they are never sent.
      return readPathItem(context, expression, resolved).map((called) => ({
        key,
        expression,
        operation: { ...called, callbacks: [] }
      }))
    })
  })
}
