/** Version 3.2: QUERY, and bodies that are sequences of items. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadDocument } from '../../src/services/mock/document/load.ts'
import { mockRows } from '../support/mock-rows.ts'

const ENTRY = {
  type: 'object',
  required: ['level'],
  properties: { level: { enum: ['info', 'warn'] }, count: { type: 'integer', minimum: 3 } }
}
const EVENT = {
  type: 'object',
  required: ['data'],
  properties: {
    event: { const: 'tick' },
    data: { type: 'string', default: 'one\ntwo' },
    retry: { const: 500 }
  }
}
const $ref = '#/components/schemas/Entry'

function ok(content: object): object {
  return { responses: { '200': { description: '', content } } }
}

const document = {
  openapi: '3.2.0',
  info: { title: 'Log', version: '1' },
  components: { schemas: { Entry: ENTRY } },
  paths: {
    '/log': {
      query: {
        requestBody: { required: true, content: { 'application/json': { schema: { $ref } } } },
        ...ok({ 'application/json': { schema: { $ref } } })
      },
      post: {
        requestBody: {
          content: {
            'application/jsonl': { itemSchema: { $ref } },
            'application/json-seq': { itemSchema: { $ref } }
          }
        },
        ...ok({
          'application/jsonl': { itemSchema: { $ref } },
          'application/json-seq': { itemSchema: { $ref } },
          'text/event-stream': { itemSchema: EVENT }
        })
      },
      get: ok({ 'text/event-stream': { itemSchema: EVENT, example: 'data: as written\n\n' } }),
      put: ok({ 'application/jsonl': { itemSchema: { $ref }, example: [{ level: 'no' }] } })
    }
  }
}

function post(body: string, type = 'application/jsonl', accept = '*/*') {
  return { method: 'POST', path: '/log', headers: { 'content-type': type, accept }, body }
}

const ITEM = '{"level":"info","count":3}'
const VALID = `${ITEM}\n`

mockRows('version 3.2', document, {}, [
  {
    proves: 'QUERY is served',
    send: { ...post(ITEM, 'application/json'), method: 'QUERY' },
    expect: { status: 200, text: ITEM }
  },
  {
    proves: 'its body is validated',
    send: { ...post('{}', 'application/json'), method: 'QUERY' },
    expect: { status: 422, text: /required property 'level'/ }
  },
  {
    proves: 'lines are generated from the schema of an item',
    send: post(VALID),
    expect: { status: 200, type: 'application/jsonl', text: VALID }
  },
  {
    proves: 'JSON text sequences have their separator',
    send: post(VALID, 'application/jsonl', 'application/json-seq'),
    expect: { status: 200, text: `\u001e${ITEM}\n` }
  },
  {
    proves: 'events have fields, and a line for each line of the data',
    send: post(VALID, 'application/jsonl', 'text/event-stream'),
    expect: { status: 200, text: 'event: tick\nretry: 500\ndata: one\ndata: two\n\n' }
  },
  {
    proves: 'each line of a request is validated',
    send: post(`${ITEM}\n\n{"level":"loud"}\n`),
    expect: { status: 422, text: /"location":\["body","1","level"\]/ }
  },
  {
    proves: 'a JSON text sequence of values over several lines',
    send: post('\u001e{"level":\n"info"}\n\u001e{"level":"warn"}\n', 'application/json-seq'),
    expect: { status: 200 }
  },
  {
    proves: 'a line that is not JSON',
    send: post(`${ITEM}\n{"level":`),
    expect: { status: 422, text: /has an invalid line 2/ }
  },
  {
    proves: 'an example that is a string is sent as written',
    send: { path: '/log' },
    expect: { status: 200, text: 'data: as written\n\n', headers: { 'sl-violations': null } }
  },
  {
    proves: 'the items of an example are validated',
    send: { method: 'PUT', path: '/log' },
    expect: {
      status: 200,
      text: '{"level":"no"}\n',
      headers: { 'sl-violations': /"response","body","0","level"/ }
    }
  }
])

describe('members of version 3.2 without an effect', () => {
  test('are named', async () => {
    const source = {
      ...document,
      paths: {
        '/a': {
          additionalOperations: { COPY: ok({}) },
          post: {
            requestBody: { content: { 'multipart/mixed': { itemSchema: { type: 'string' } } } },
            ...ok({})
          }
        }
      }
    }
    const url = new URL('file:///log.json')
    const { findings } = await loadDocument(url, async () => JSON.stringify(source))
    assert.deepEqual(
      findings.map(({ level, where, text }) => `${level} ${where} ${text}`),
      [
        'warning /log.json#/paths/~1a/additionalOperations is ignored: these methods are not served',
        'warning /log.json#/paths/~1a/post/requestBody/content/multipart~1mixed/itemSchema is ignored: bodies of this type are not read as sequences'
      ]
    )
  })
})
