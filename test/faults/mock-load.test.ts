/** Many requests, sessions, callbacks and operations, large bodies and wide schemas. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type MockedApi, mock } from '../../src/host/mock.ts'
import {
  createOperationHandlers,
  type OperationHandler
} from '../../src/services/mock/engine/operation-handler.ts'
import { DEFAULT_OPTIONS, upstreamAt } from '../../src/services/mock/engine/options.ts'
import type { Operation } from '../../src/services/mock/model/api.ts'
import { readPreferences } from '../../src/services/mock/request/preferences.ts'
import { parseQuery } from '../../src/services/mock/request/query-string.ts'
import { createSchemas, type Violation } from '../../src/services/mock/schema/schemas.ts'
import { type ServedApi, serveApi } from '../../src/services/mock/served-api.ts'
import { compare, send } from '../support/contract.ts'
import { documentOf, problem } from '../support/mock-rows.ts'
import { openMock } from '../support/mock-server.ts'
import { TODOS } from '../support/mock-state-documents.ts'
import { things } from '../support/mock-things.ts'
import { openUpstream } from '../support/mock-upstream.ts'
import { sendPlain } from '../support/plain-http.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { openWebhook } from '../support/webhook.ts'

const MEGABYTE = 1024 * 1024

describe('sessions of the state', { concurrency: true }, () => {
  async function keepTodos() {
    const file = join(scratchFolder(), 'document.json')
    writeFileSync(file, JSON.stringify(TODOS))
    return mock(file, { state: true })
  }

  function add({ url }: MockedApi, todo: object, headers = {}) {
    const sent = { 'content-type': 'application/json', ...headers }
    return send(url, {
      ...{ method: 'POST', path: '/todos' },
      ...{ headers: sent, body: JSON.stringify(todo) }
    })
  }

  test('of too many sessions the one that was away longest leaves', async () => {
    await using kept = await keepTodos()
    const post = (session: string) =>
      add(kept, { title: session }, { prefer: `session=${session}` })
    const find = (headers = {}) => send(kept.url, { path: '/todos/5', headers })
    const has = async (session: string) =>
      (await find({ prefer: `session=${session}` })).status === 200
    await add(kept, { title: 'default' })
    for (let n = 0; n < 100; n++) await post(`s${n}`)
    await delay(1100)
    assert.ok(await has('s0'))
    await post('one-more')
    assert.deepEqual([await has('s0'), await has('s1'), await has('one-more')], [true, false, true])
    assert.equal(JSON.parse((await find()).text).title, 'default')
  })

  test('a session that is full says so, and goes on after a removal', async () => {
    await using kept = await keepTodos()
    const note = 'x'.repeat(3 * MEGABYTE)
    const addLarge = () => add(kept, { title: 't', note })
    assert.deepEqual([(await addLarge()).status, (await addLarge()).status], [201, 201])
    const full = await addLarge()
    assert.deepEqual([full.status, JSON.parse(full.text).code], [409, 'STATE_FULL'])
    assert.equal(JSON.parse((await send(kept.url, { path: '/todos' })).text).length, 4)
    assert.equal((await send(kept.url, { method: 'DELETE', path: '/todos/5' })).status, 204)
    assert.equal((await addLarge()).status, 201)
  })
})

test('a flood of callbacks is cut to what may be under way', async () => {
  const responses = { 200: { description: '' } }
  await using quiet = await openWebhook({ silent: { silent: true } })
  const callbacks = { paid: { [`${quiet.url}silent`]: { post: { responses } } } }
  await using busy = await openMock(documentOf({ '/x': { post: { responses, callbacks } } }))
  await Promise.all(Array.from({ length: 80 }, () => fetch(`${busy.url}/x`, { method: 'POST' })))
  const refused = busy.callbacks.filter((one) => one.failure?.includes('already running'))
  assert.equal(refused.length, 16)
  // Otherwise the others would end by their timeout of ten seconds.
  await quiet.close()
})

test('a body that grows without end is refused', async () => {
  const match = { operationId: 'getThing' }
  const copies = Array.from({ length: 40 }, () => ({ op: 'copy', from: '', path: '/tags/-' }))
  const doubled = { replaceBody: { a: '{$response.body#}', b: '{$response.body#}' } }
  const rules = [
    { name: 'bomb', match, when: { '$request.header.x-a': 'double' }, do: Array(60).fill(doubled) },
    { match, when: { '$request.header.x-a': 'copy' }, do: [{ patch: copies }] }
  ]
  await using mock = await openMock(things, {}, {}, { rules })
  for (const kind of ['double', 'copy']) {
    await compare(
      await send(mock.url, { path: '/things/7', headers: { 'x-a': kind } }),
      problem('TRANSFORM_FAILED', 500, 'A rule failed')
    )
  }
  assert.deepEqual(mock.defects, [])
})

test('an upload of any size runs through to an upstream', async () => {
  // An upload that no server should keep in memory, and the same as the response.
  const upload = Buffer.alloc(12 * MEGABYTE, 7)
  const upstream = await openUpstream(({ body }, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(body)
  })
  try {
    const content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
    const responses = { 200: { description: '', content } }
    const document = documentOf({ '/bytes': { post: { requestBody: { content }, responses } } })
    await using mock = await openMock(document, { upstream: upstreamAt(new URL(upstream.url)) })
    const response = await sendPlain(`${mock.url}/bytes`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: upload
    })
    assert.equal(response.status, 200)
    assert.ok(upstream.received[0]?.body.equals(upload))
    assert.ok(response.body.equals(upload))
    assert.deepEqual(mock.defects, [])
  } finally {
    await upstream.close()
  }
})

describe('the handlers of many operations', () => {
  const COUNT = 100

  function serveMany(): ServedApi {
    const properties = Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [`p${index}`, { type: 'string' }])
    )
    const content = { 'application/json': { schema: { type: 'object', properties } } }
    const operation = { responses: { 200: { description: '', content } } }
    const paths = Object.fromEntries(
      Array.from({ length: COUNT }, (_, index) => [
        `/${index}`,
        { get: structuredClone(operation) }
      ])
    )
    return serveApi({ openapi: '3.1.0', info: { title: '', version: '' }, paths }, 'many')
  }

  function openHandlers(served: ServedApi, cacheBytes: number) {
    const handlerOf = createOperationHandlers({ ...DEFAULT_OPTIONS, cacheBytes })
    const preferences = readPreferences({}, parseQuery(''))
    return function use(operation: Operation): OperationHandler {
      const match = { mount: served, operation, basePath: '', pathValues: new Map() }
      const handler = handlerOf(match)
      handler.mocker.respond(preferences, undefined)
      return handler
    }
  }

  test('are kept until they take more memory than the limit', () => {
    const served = serveMany()
    const use = openHandlers(served, 1024 * MEGABYTE)
    const handlers = served.api.operations.map(use)
    assert.deepEqual(served.api.operations.map(use), handlers)
    assert.ok(served.api.operations.every((operation, index) => use(operation) === handlers[index]))
  })

  test('beyond the limit the least recently used are freed', async () => {
    const served = serveMany()
    const use = openHandlers(served, MEGABYTE / 4)
    const [often, ...others] = served.api.operations
    assert.ok(often)
    const first = use(often)
    const kept = others.map((operation) => {
      const handler = use(operation)
      assert.equal(use(often), first)
      return new WeakRef(handler)
    })
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc')
    const alive = () => kept.filter((handler) => handler.deref() !== undefined).length
    const until = performance.now() + 30_000
    // Optimized code may keep an object through one or two collections.
    do {
      assert.ok(performance.now() < until, `${alive()} of ${COUNT} handlers are still alive`)
      await nextTurn()
      collect()
    } while (alive() > COUNT / 4)
    assert.ok(alive() > 4)
  })
})

describe('a wide schema has the same violations as a narrow one', () => {
  const other = { $ref: '#/components/schemas/Other' }
  const wide = Object.fromEntries(
    Array.from({ length: 1200 }, (_, index) => [`p${index}`, { type: 'integer', maximum: index }])
  )
  const narrow = Object.fromEntries(Object.entries(wide).slice(0, 10))
  const required = { required: ['q'], minProperties: 3, properties: {} }
  const closed = { properties: {}, additionalProperties: false }
  const text = { type: 'string' }
  const rows: [what: string, schema: unknown, invalid: unknown][] = [
    ['properties', { properties: {} }, { p1: 2, p2: 'a', p3: 3, other: true }],
    ['others that are not allowed', closed, { a: 1, p1: 1 }],
    ['a required one', required, { p1: 2 }],
    ['another type', { type: 'object', properties: {} }, [1]],
    ['a reference', { ...other, required: ['q'] }, { p4: 5 }],
    ['items', { items: other }, [{ p1: 1 }, { p1: 2 }, 3, { p0: 1 }]],
    ['first items', { prefixItems: [text], items: other }, [1, { p1: 2 }, {}]],
    ['all', { allOf: [other, { minProperties: 2 }] }, { p1: 2 }],
    ['one of two', { oneOf: [other, text] }, { p1: 2 }],
    ['both of two', { oneOf: [other, { type: 'object' }] }, { p1: 1 }],
    ['not', { not: other }, { p1: 1 }],
    ['unevaluated', { allOf: [other], unevaluatedProperties: false }, { p1: 1, q: 1 }],
    ['a condition', { if: { required: ['q'] }, else: other }, { p1: 2 }],
    ['depth', { properties: { inner: { items: other } } }, { inner: [{ p1: 2, p2: 3 }] }]
  ]

  function validate(schema: unknown, value: unknown, properties: object): Violation[] {
    const own = structuredClone(schema) as { properties?: object }
    if (own.properties !== undefined) own.properties = { ...properties, ...own.properties }
    const schemas = { Other: { type: 'object', properties }, It: own }
    const found = createSchemas({ components: { schemas } }).find(
      '#/components/schemas/It',
      'request'
    )
    assert.ok(found.ok, JSON.stringify(found))
    return found.compiled.validate(value)
  }

  const sorted = (violations: Violation[]) => violations.map((one) => JSON.stringify(one)).sort()

  for (const [what, schema, value] of rows) {
    test(what, () => {
      const few = validate(schema, value, narrow)
      assert.ok(few.length > 0)
      assert.deepEqual(sorted(validate(schema, value, wide)), sorted(few))
    })
  }
})
