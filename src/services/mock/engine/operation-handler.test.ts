import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Operation } from '../model/api.ts'
import { readPreferences } from '../request/preferences.ts'
import { parseQuery } from '../request/query-string.ts'
import { type ServedApi, serveApi } from '../served-api.ts'
import { createOperationHandlers, type OperationHandler } from './operation-handler.ts'
import { DEFAULT_OPTIONS } from './options.ts'

const MEGABYTE = 1024 * 1024
const COUNT = 100

function serveMany(): ServedApi {
  const properties = Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [`p${index}`, { type: 'string' }])
  )
  const content = { 'application/json': { schema: { type: 'object', properties } } }
  const operation = { responses: { 200: { description: '', content } } }
  const paths = Object.fromEntries(
    Array.from({ length: COUNT }, (_, index) => [`/${index}`, { get: structuredClone(operation) }])
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

test('handlers are kept until they take more memory than the limit', () => {
  const served = serveMany()
  const use = openHandlers(served, 1024 * MEGABYTE)
  const handlers = served.api.operations.map(use)
  assert.deepEqual(served.api.operations.map(use), handlers)
  assert.ok(served.api.operations.every((operation, index) => use(operation) === handlers[index]))
})

test('beyond the limit the least recently used handlers are freed', async () => {
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
