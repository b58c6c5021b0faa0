/** Coverage counts exactly what was called: operations, statuses, examples, parameters, bodies. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { mock } from '../../src/host/mock.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const THING = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }

const json = (more: object) => ({ 'application/json': more })

const SHOP = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    schemas: { Shown: { type: 'object', example: { name: 'from the schema' } } }
  },
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 9 } },
          { name: 'where', in: 'query', style: 'deepObject', schema: { type: 'object' } },
          {
            name: 'point',
            in: 'query',
            schema: { type: 'object', properties: { x: { type: 'integer' }, y: {} } }
          },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
          { name: 'seen', in: 'cookie', schema: { type: 'string' } },
          { name: 'untouched', in: 'query', schema: { type: 'string' } }
        ],
        responses: {
          200: {
            description: '',
            content: json({
              schema: { $ref: '#/components/schemas/Shown' },
              examples: { few: { value: { name: 'a' } }, many: { value: { name: 'b' } } }
            })
          },
          '4XX': { description: '', content: json({ example: { sorry: true } }) },
          503: { description: '' }
        }
      },
      post: {
        operationId: 'addThing',
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: THING },
            'application/x-www-form-urlencoded': { schema: THING },
            'text/plain': {}
          }
        },
        responses: {
          201: { description: '', content: json({ schema: THING }) },
          422: { description: '', content: json({ example: { why: 'name' } }) }
        }
      }
    },
    '/things/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      delete: { security: [{ key: [] }], responses: { 204: { description: '' } } },
      patch: { responses: { 200: { description: '' } } }
    },
    '/wrong': {
      get: {
        responses: {
          200: { description: '', content: json({ schema: THING, example: { name: 1 } }) },
          default: { description: '' }
        }
      }
    }
  }
}

/** Method, path, and what else a request has; one line for each. */
const SESSION: [string, string, RequestInit?][] = [
  ['GET', '/shop/things'],
  ['GET', '/shop/things?limit=3'],
  ['GET', '/shop/things?LIMIT=4&where[a]=1', { headers: { 'x-trace': 'on' } }],
  ['GET', '/shop/things?x=1&y=2', { headers: { cookie: 'other=1; seen=yes' } }],
  ['GET', '/shop/things?limit=99'],
  ['GET', '/shop/things', { headers: { prefer: 'example=many' } }],
  ['GET', '/shop/things', { headers: { prefer: 'code=404' } }],
  ['GET', '/shop/things', { headers: { prefer: 'code=503' } }],
  ['GET', '/shop/things', { headers: { prefer: 'code=201' } }],
  ['GET', '/shop/things', { headers: { prefer: 'dynamic=true' } }],
  [
    'POST',
    '/shop/things',
    { body: '{"name":"a"}', headers: { 'content-type': 'application/json; charset=utf-8' } }
  ],
  ['POST', '/shop/things', { body: new URLSearchParams({ name: 'a' }) }],
  ['POST', '/shop/things', { body: '{}', headers: { 'content-type': 'application/json' } }],
  ['POST', '/shop/things'],
  ['DELETE', '/shop/things/5'],
  ['DELETE', '/shop/things/5', { headers: { 'x-key': 'secret' } }],
  ['GET', '/shop/wrong'],
  ['GET', '/stock/things'],
  ['GET', '/shop/nothing'],
  ['PUT', '/shop/things'],
  [
    'OPTIONS',
    '/shop/things',
    { headers: { origin: 'http://a.example', 'access-control-request-method': 'GET' } }
  ]
]

const STOCK = {
  openapi: '3.1.0',
  info: { title: 'Stock', version: '1' },
  paths: { '/things': { get: { responses: { 200: { description: '' } } } } }
}

function expected(shop: string, stock: string) {
  const violation = (method: string, path: string, status: number, location: string) => ({
    ...{ method, path, status, location, severity: 'Error' }
  })
  const none = { undocumentedStatuses: {}, examples: {}, parameters: {}, requestTypes: {} }
  const quiet = { ...none, violations: [] }
  return {
    ...{ operations: 6, covered: 5, calls: 18, violations: 5, strays: 2 },
    byOperation: [
      {
        ...{ method: 'GET', path: '/things', operationId: 'listThings', document: shop, calls: 10 },
        // An example was shown for 404 and for the refusal of limit=99; 201 is not documented.
        statuses: { 200: 6, 503: 1, '4XX': 2 },
        undocumentedStatuses: { 404: 1 },
        examples: { '200 default': 4, '200 few': 0, '200 many': 1, '4XX default': 2 },
        parameters: {
          'query limit': 3,
          'query where': 1,
          'query point': 1,
          'header X-Trace': 1,
          'cookie seen': 1,
          'query untouched': 0
        },
        requestTypes: {},
        violations: [violation('GET', '/shop/things', 422, 'request.query.limit')]
      },
      {
        ...{ method: 'POST', path: '/things', operationId: 'addThing', document: shop, calls: 4 },
        statuses: { 201: 2, 422: 2 },
        undocumentedStatuses: {},
        examples: { '422 default': 2 },
        parameters: {},
        requestTypes: {
          'application/json': 2,
          'application/x-www-form-urlencoded': 1,
          'text/plain': 0
        },
        violations: [
          violation('POST', '/shop/things', 422, 'request.body'),
          violation('POST', '/shop/things', 422, 'request')
        ]
      },
      {
        ...{ method: 'DELETE', path: '/things/{id}', operationId: null, document: shop, calls: 2 },
        ...none,
        statuses: { 204: 1 },
        undocumentedStatuses: { 401: 1 },
        parameters: { 'path id': 2 },
        violations: [violation('DELETE', '/shop/things/5', 401, 'request')]
      },
      {
        ...{ method: 'PATCH', path: '/things/{id}', operationId: null, document: shop, calls: 0 },
        ...quiet,
        statuses: { 200: 0 },
        parameters: { 'path id': 0 }
      },
      {
        ...{ method: 'GET', path: '/wrong', operationId: null, document: shop, calls: 1 },
        ...none,
        statuses: { 200: 1, default: 0 },
        examples: { '200 default': 1 },
        violations: [violation('GET', '/shop/wrong', 200, 'response.body.name')]
      },
      {
        ...{ method: 'GET', path: '/things', operationId: null, document: stock, calls: 1 },
        ...quiet,
        statuses: { 200: 1 }
      }
    ],
    strayRequests: [
      violation('GET', '/shop/nothing', 404, ''),
      violation('PUT', '/shop/things', 405, '')
    ]
  }
}

/** Texts of messages are not what is counted here. */
function withoutMessages(report: unknown): unknown {
  return JSON.parse(JSON.stringify(report, (key, value) => (key === 'message' ? undefined : value)))
}

function writeDocuments(): { shop: string; stock: string } {
  const folder = scratchFolder()
  const shop = join(folder, 'shop.json')
  const stock = join(folder, 'stock.json')
  writeFileSync(shop, JSON.stringify(SHOP))
  writeFileSync(stock, JSON.stringify(STOCK))
  return { shop: `shop=${shop}`, stock: `stock=${stock}` }
}

async function play(url: string): Promise<void> {
  for (const [method, path, init] of SESSION) {
    await (await fetch(url + path, { method, ...init })).arrayBuffer()
  }
}

test('a scripted session is counted exactly; a reset begins anew', async () => {
  const { shop, stock } = writeDocuments()
  await using api = await mock([shop, stock])
  const read = async () => (await fetch(`${api.url}/__nonet/coverage`)).json()
  await play(api.url)
  assert.deepEqual(withoutMessages(await read()), expected(shop, stock))
  assert.deepEqual(withoutMessages(api.coverage()), expected(shop, stock))
  assert.equal((await fetch(`${api.url}/__nonet/coverage`, { method: 'DELETE' })).status, 204)
  const { covered, calls, violations, strays, byOperation } = api.coverage()
  assert.deepEqual([covered, calls, violations, strays], [0, 0, 0, 0])
  assert.deepEqual(byOperation[0]?.statuses, { 200: 0, 503: 0, '4XX': 0 })
  await play(api.url)
  assert.deepEqual(withoutMessages(await read()), expected(shop, stock))
})

test('the report at the end says the same', async () => {
  const { shop, stock } = writeDocuments()
  const report = join(scratchFolder(), 'report.json')
  const api = await mock([shop, stock], { report })
  await play(api.url)
  await api.stop()
  assert.deepEqual(withoutMessages(JSON.parse(readFileSync(report, 'utf8'))), expected(shop, stock))
})

test('HEAD of a GET, with which tools wait for a server, does not cover the GET', async () => {
  const { shop } = writeDocuments()
  await using api = await mock(shop)
  assert.equal((await fetch(`${api.url}/shop/things`, { method: 'HEAD' })).status, 200)
  assert.equal(api.coverage().covered, 0)
  assert.equal(api.coverage().strays, 0)
})

test('an answer that is turned into an error counts as what was sent', async () => {
  const { shop } = writeDocuments()
  await using api = await mock(shop, { errors: true })
  assert.equal((await fetch(`${api.url}/shop/wrong`)).status, 500)
  const wrong = api.coverage().byOperation.find(({ path }) => path === '/wrong')
  assert.deepEqual(
    [wrong?.statuses, wrong?.undocumentedStatuses, wrong?.examples],
    [{ 200: 0, default: 0 }, { 500: 1 }, { '200 default': 0 }]
  )
})

test('in front of an upstream: what it answers is counted, and what is refused before it', async () => {
  const { stock, shop } = writeDocuments()
  const upstream = createServer((request, response) => {
    request.resume()
    response.writeHead(request.url?.includes('odd') ? 418 : 200, { 'content-type': 'text/plain' })
    response.end('hello')
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  const { port } = upstream.address() as { port: number }
  const settings = { upstream: `http://127.0.0.1:${port}`, errors: true, validateResponse: false }
  {
    await using api = await mock(stock, settings)
    for (const query of ['', '?odd']) await fetch(`${api.url}/stock/things${query}`)
    const [things] = api.coverage().byOperation
    assert.deepEqual([things?.calls, things?.statuses], [2, { 200: 1 }])
    assert.deepEqual(things?.undocumentedStatuses, { 418: 1 })
  }
  await using api = await mock(shop, settings)
  await fetch(`${api.url}/shop/things?limit=99&untouched=1`)
  const [things] = api.coverage().byOperation
  assert.deepEqual([things?.undocumentedStatuses, things?.violations.length], [{ 422: 1 }, 1])
  assert.deepEqual(
    [things?.parameters['query limit'], things?.parameters['query untouched']],
    [1, 1]
  )
  upstream.close()
})

test('after a reload, counts of what is still there are kept', async () => {
  const file = join(scratchFolder(), 'a.json')
  const write = (path: string, codes: number[]) => {
    const responses = Object.fromEntries(codes.map((code) => [code, { description: '' }]))
    const paths = { '/kept': { get: { responses } }, [path]: { get: { responses } } }
    writeFileSync(file, JSON.stringify({ openapi: '3.1.0', paths }))
  }
  write('/gone', [200, 404])
  await using api = await mock(file, { reload: true })
  await fetch(`${api.url}/kept`)
  await fetch(`${api.url}/kept`, { headers: { prefer: 'code=404' } })
  await fetch(`${api.url}/gone`)
  write('/new', [200, 500])
  for (let tries = 0; (await fetch(`${api.url}/new`)).status !== 200; tries++) {
    assert.ok(tries < 200, 'the change was not seen')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const counted = api
    .coverage()
    .byOperation.map(({ path, calls, statuses }) => [path, calls, statuses])
  assert.deepEqual(counted, [
    ['/kept', 2, { 200: 1, 500: 0 }],
    ['/new', 1, { 200: 1, 500: 0 }]
  ])
})

test('a fault that nobody could read a status from is a call without one', async () => {
  const file = join(scratchFolder(), 'broken-off.json')
  const rule = { phase: 'request', when: { '$request.query.early': '1' }, do: [{ fault: 'reset' }] }
  const content = json({ examples: { one: { value: { name: 'a' } } } })
  const get = { responses: { 200: { description: '', content } }, 'x-nonet-transform': [rule] }
  const info = { title: 'Broken off', version: '1' }
  writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info, paths: { '/thing': { get } } }))
  await using api = await mock(file)
  for (const query of ['__fault=reset', '__fault=empty', 'early=1']) {
    await assert.rejects(fetch(`${api.url}/thing?${query}`))
  }
  const cut = await fetch(`${api.url}/thing?__fault=truncate`)
  await assert.rejects(cut.text())
  const [thing] = api.coverage().byOperation
  assert.equal(thing?.calls, 4)
  assert.deepEqual([thing?.statuses, thing?.undocumentedStatuses], [{ 200: 1 }, {}])
  assert.deepEqual(thing?.examples, { '200 one': 1 })
})
