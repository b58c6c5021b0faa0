/** The same name on an example of a request and on one of a response is a rule. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MockServer, openMock } from '../support/mock-server.ts'

const named = (examples: Record<string, unknown>) => ({
  examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]))
})

const object = { type: 'object' }

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Pairs', version: '1' },
  paths: {
    '/books/{id}': {
      get: {
        parameters: [
          {
            name: 'id',
            in: 'path',
            required: true,
            schema: { type: 'integer' },
            ...named({ dune: 42, lost: 404, odd: '7', both: 42, broken: 13 })
          },
          { name: 'lang', in: 'query', schema: { type: 'string' }, ...named({ both: 'de' }) },
          {
            name: 'tags',
            in: 'query',
            explode: false,
            schema: { type: 'array', items: { type: 'string' } },
            ...named({ tagged: ['a', 'b'] })
          },
          { name: 'X-Mood', in: 'header', schema: { type: 'string' }, ...named({ moody: 'grim' }) }
        ],
        responses: {
          200: {
            description: 'A book',
            content: {
              'application/json': {
                schema: object,
                ...named({
                  usual: { title: 'Usual' },
                  dune: { title: 'Dune' },
                  both: { title: 'Der Wüstenplanet' },
                  odd: { title: 'Seven' },
                  tagged: { title: 'Tagged' },
                  moody: { title: 'Moody' },
                  nowhere: { title: 'No request has this' }
                })
              },
              'application/xml': { schema: object }
            }
          },
          404: {
            description: 'None',
            content: { 'application/json': { schema: object, ...named({ lost: { no: true } }) } }
          },
          '5XX': {
            description: 'Broken',
            content: { 'application/json': { schema: object, ...named({ broken: { oh: true } }) } }
          }
        }
      }
    },
    '/orders': {
      post: {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', required: ['item'] },
              ...named({
                tea: { item: 'tea', count: 1 },
                twice: { item: 'tea' },
                bad: { count: 1 }
              })
            },
            'application/x-www-form-urlencoded': {
              schema: { type: 'object', properties: { item: { type: 'string' } } },
              ...named({ form: { item: 'cake' } })
            }
          }
        },
        responses: {
          201: {
            description: 'Ordered',
            content: {
              'application/json': {
                schema: object,
                ...named({ usual: { some: true }, tea: { cups: 1 }, form: { slices: 2 } })
              }
            }
          },
          400: {
            description: 'Bad',
            content: { 'application/json': { schema: object, ...named({ bad: { need: 'item' } }) } }
          },
          409: {
            description: 'Twice',
            content: {
              'application/json': { schema: object, ...named({ twice: { again: true } }) }
            }
          }
        }
      }
    },
    '/plain': {
      get: {
        parameters: [{ name: 'q', in: 'query', schema: { type: 'string' }, example: 'x' }],
        responses: {
          200: {
            description: 'The nameless examples are no pair',
            content: {
              'application/json': {
                schema: object,
                examples: { first: { value: { n: 1 } }, default: { value: { n: 2 } } }
              }
            }
          }
        }
      }
    }
  }
}

interface Row {
  proves: string
  send: string
  headers?: Record<string, string>
  body?: string
  expect: [number, unknown]
}

const JSON_TYPE = { 'content-type': 'application/json' }

const ROWS: readonly Row[] = [
  { proves: 'a path parameter', send: 'GET /books/42', expect: [200, { title: 'Dune' }] },
  { proves: 'a pair with a status', send: 'GET /books/404', expect: [404, { no: true }] },
  { proves: 'a pair in a range', send: 'GET /books/13', expect: [500, { oh: true }] },
  { proves: 'a number as text', send: 'GET /books/7', expect: [200, { title: 'Seven' }] },
  { proves: 'no pair: as before', send: 'GET /books/1', expect: [200, { title: 'Usual' }] },
  {
    proves: 'what asks for more comes first',
    send: 'GET /books/42?lang=de',
    expect: [200, { title: 'Der Wüstenplanet' }]
  },
  {
    proves: 'all of a name must be met',
    send: 'GET /books/1?lang=de',
    expect: [200, { title: 'Usual' }]
  },
  { proves: 'a list', send: 'GET /books/1?tags=a,b', expect: [200, { title: 'Tagged' }] },
  { proves: 'another list', send: 'GET /books/1?tags=b,a', expect: [200, { title: 'Usual' }] },
  {
    proves: 'a header',
    send: 'GET /books/1',
    headers: { 'x-mood': 'grim' },
    expect: [200, { title: 'Moody' }]
  },
  {
    proves: 'a preference for an example wins',
    send: 'GET /books/42',
    headers: { prefer: 'example=nowhere' },
    expect: [200, { title: 'No request has this' }]
  },
  {
    proves: 'a preference for a status wins',
    send: 'GET /books/42?__code=404',
    expect: [404, { no: true }]
  },
  {
    proves: 'a body, whatever the order of its members',
    send: 'POST /orders',
    headers: JSON_TYPE,
    body: '{"count":1, "item":"tea"}',
    expect: [201, { cups: 1 }]
  },
  {
    proves: 'a body that leads to an error',
    send: 'POST /orders',
    headers: JSON_TYPE,
    body: '{"item":"tea"}',
    expect: [409, { again: true }]
  },
  {
    proves: 'a body that breaks the document and is shown with its answer',
    send: 'POST /orders',
    headers: JSON_TYPE,
    body: '{"count":1}',
    expect: [400, { need: 'item' }]
  },
  {
    proves: 'a form',
    send: 'POST /orders',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'item=cake',
    expect: [201, { slices: 2 }]
  },
  {
    proves: 'a body with more in it is another',
    send: 'POST /orders',
    headers: JSON_TYPE,
    body: '{"item":"tea","count":1,"more":1}',
    expect: [201, { some: true }]
  },
  {
    proves: 'names of the language are ordinary members',
    send: 'POST /orders',
    headers: JSON_TYPE,
    body: '{"item":"tea","__proto__":{"count":1}}',
    expect: [201, { some: true }]
  },
  { proves: 'nameless examples', send: 'GET /plain?q=x', expect: [200, { n: 1 }] }
]

describe('pairs of examples', () => {
  let mock: MockServer
  before(async () => {
    mock = await openMock(DOCUMENT)
  })
  after(() => mock.close())

  for (const { proves, send, headers = {}, body, expect } of ROWS) {
    test(proves, async () => {
      const [method = '', path = ''] = send.split(' ')
      const answer = await fetch(mock.url + path, { method, headers, body: body ?? null })
      assert.deepEqual([answer.status, await answer.json()], expect)
    })
  }

  test('a form of the answer that has no such example is chosen as before', async () => {
    const answer = await fetch(`${mock.url}/books/42`, { headers: { accept: 'application/xml' } })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/xml')
  })

  test('coverage and callbacks know the example that was sent', async () => {
    await fetch(`${mock.url}/books/42`)
    assert.equal(mock.exchanges.at(-1)?.example, 'dune')
  })

  test('random bodies and ignored examples know no pairs', async () => {
    for (const options of [{ dynamic: true, seed: 'a' }, { ignoreExamples: true }]) {
      await using other = await openMock(DOCUMENT, options)
      const [paired, plain] = await Promise.all(
        [42, 1].map(async (id) => (await fetch(`${other.url}/books/${id}`)).text())
      )
      assert.equal(paired, plain)
    }
  })
})
