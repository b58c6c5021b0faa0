import type { ServerResponse } from 'node:http'
import { documentOf } from './mock-rows.ts'
import type { Received } from './mock-upstream.ts'

export const THING = { id: 1, name: 'one', tags: ['a', 'b'], inner: { deep: true } }
export const LIST = [
  { id: 1, secret: 's1' },
  { id: 2, secret: 's2' }
]

const thing = {
  type: 'object',
  required: ['id', 'name'],
  additionalProperties: true,
  properties: {
    id: { type: 'integer', xml: { attribute: true } },
    name: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    inner: {
      type: 'object',
      additionalProperties: false,
      properties: { deep: { type: 'boolean' } }
    }
  }
}
const failure = { type: 'object', properties: { message: { type: 'string' } } }

function json(schema: object, example?: unknown) {
  const shown = example === undefined ? {} : { example }
  return { description: '', content: { 'application/json': { schema, ...shown } } }
}

const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
const q = { name: 'q', in: 'query', schema: { type: 'integer' } }
const notFound = json(failure, { message: 'no such thing' })

/** One operation of each kind that rules treat differently. */
export const things = documentOf({
  '/things/{id}': {
    parameters: [id],
    get: {
      operationId: 'getThing',
      tags: ['things'],
      parameters: [q],
      responses: { '200': json(thing, THING), '404': notFound }
    },
    delete: { operationId: 'dropThing', responses: { '204': { description: '' } } }
  },
  '/things': {
    post: {
      operationId: 'makeThing',
      tags: ['things'],
      requestBody: { required: true, content: { 'application/json': { schema: thing } } },
      responses: { '201': json(thing, THING) }
    }
  },
  '/list': {
    get: {
      operationId: 'listThings',
      responses: {
        '200': json(
          {
            type: 'array',
            items: {
              type: 'object',
              properties: { id: { type: 'integer' }, secret: { type: 'string' } }
            }
          },
          LIST
        )
      }
    }
  },
  '/text': {
    get: {
      operationId: 'getText',
      responses: {
        '200': { description: '', content: { 'text/plain': { example: 'plain words' } } }
      }
    }
  },
  '/xml': {
    get: {
      operationId: 'getXml',
      responses: {
        '200': {
          description: '',
          content: {
            'application/xml': {
              schema: { ...thing, xml: { name: 'thing' } },
              example: { id: 1, name: 'one' }
            }
          }
        }
      }
    }
  }
})

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n<thing id="1"><name>one</name></thing>'

/** Responds from a separate server with the examples of the document. */
export function answerThing({ method, url }: Received, response: ServerResponse): void {
  const path = url.split('?')[0] ?? ''
  if (method === 'DELETE') {
    response.writeHead(204).end()
  } else if (path === '/text') {
    response.writeHead(200, { 'content-type': 'text/plain' }).end('plain words')
  } else if (path === '/xml') {
    response.writeHead(200, { 'content-type': 'application/xml' }).end(XML)
  } else {
    const value = path === '/list' ? LIST : THING
    const status = method === 'POST' ? 201 : 200
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }
}
