import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  memberOf,
  objectAt,
  textAt
} from '../document/json.ts'
import { formatPointer } from '../document/pointer.ts'
import { METHODS } from '../document/shape.ts'
import type { Api, Callback, Operation, ResponseModel, Server } from './api.ts'
import { contentsOf, createReaders, type Readers } from './parts.ts'
import { below, createResolve, type Located } from './resolve.ts'
import { createSecurity, type Security } from './security.ts'

/** A response that says nothing of these is as good as absent. */
const RESPONSE_MEMBERS = ['description', 'headers', 'content', 'links', '$ref']

/** Reads a document of version 3.1 into the model. */
export function buildApi(document: JsonObject): Api {
  const resolve = createResolve(document)
  const readers = createReaders(resolve)
  const room: Room = { document, readers, security: createSecurity(document, resolve) }
  return {
    title: textAt(objectAt(document, 'info'), 'title') ?? 'API',
    operations: operationsOf(room, document, 'paths'),
    // Older versions have no webhooks, and authors an extension for them.
    webhooks: ['webhooks', 'x-webhooks'].flatMap((section) => operationsOf(room, document, section))
  }
}

interface Room {
  document: JsonObject
  readers: Readers
  security: Security
}

function operationsOf(room: Room, document: JsonObject, section: string): Operation[] {
  return Object.entries(objectAt(document, section)).flatMap(([path, item]) => {
    if (path.startsWith('x-') || !isObject(item)) return []
    return readPathItem(room, path, { node: item, pointer: formatPointer([section, path]) })
  })
}

function readPathItem(room: Room, path: string, item: Located): Operation[] {
  return Object.keys(item.node).flatMap((method) => {
    const node = memberOf(item.node, method)
    if (!isMethod(method) || !isObject(node)) return []
    return [readOperation(room, method, path, item, { node, pointer: below(item, method) })]
  })
}

function isMethod(name: string): boolean {
  return (METHODS as readonly string[]).includes(name)
}

function readOperation(
  room: Room,
  method: string,
  path: string,
  item: Located,
  operation: Located
): Operation {
  const { readers, document, security } = room
  const { node } = operation
  return {
    method: method.toUpperCase(),
    path,
    pointer: operation.pointer,
    id: textAt(node, 'operationId'),
    summary: textAt(node, 'summary'),
    tags: listAt(node, 'tags').filter((tag) => typeof tag === 'string'),
    deprecated: node.deprecated === true,
    parameters: readers.parameters(item, operation),
    requestBody: readers.requestBody(node.requestBody, below(operation, 'requestBody')),
    responses: readResponses(room, operation),
    security: security.requirements(memberOf(node, 'security') ?? memberOf(document, 'security')),
    servers: serversOf(node, item.node, document),
    callbacks: readCallbacks(room, operation)
  }
}

function readResponses({ readers }: Room, operation: Located): ResponseModel[] {
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
  const owner = owners.find((node) => listAt(node, 'servers').length > 0)
  return listAt(owner, 'servers').flatMap((server) => {
    const url = textAt(server, 'url')
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
    values: listAt(variable, 'enum').map(String)
  }
}

function readCallbacks(room: Room, operation: Located): Callback[] {
  const { resolve } = room.readers
  return Object.entries(objectAt(operation.node, 'callbacks')).flatMap(([key, given]) => {
    const callback = resolve(given, below(operation, 'callbacks', key))
    if (callback === undefined) return []
    return Object.entries(callback.node).flatMap(([expression, item]) => {
      if (expression.startsWith('x-') || !isObject(item)) return []
      const place = { node: item, pointer: below(callback, expression) }
      // A callback of a callback would never be sent.
      return readPathItem(room, expression, place).map((called) => ({
        key,
        expression,
        operation: { ...called, callbacks: [] }
      }))
    })
  })
}
