import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PreparedResponse, prepareResponse } from './prepared-response.ts'
import { createResponseCache, type ResponseForm } from './response-cache.ts'

const COMPACT_JSON = { key: 'json' }
const PAGE = { key: 'page' }
const MAX_LANE_BYTES = 2 * 1024 * 1024
const BASE = 'http://a'

function response(content: string): PreparedResponse {
  const parts = { status: 200, headers: {}, contentHeaders: {}, hasEtag: true }
  return prepareResponse({ ...parts, body: content })
}

test('a response is cached by base URL, representation and URL', () => {
  const ready = createResponseCache(MAX_LANE_BYTES)
  const cases: [string, ResponseForm, string][] = [
    [BASE, COMPACT_JSON, '/1'],
    ['http://b', COMPACT_JSON, '/1'],
    [BASE, PAGE, '/1'],
    [BASE, COMPACT_JSON, '/2']
  ]
  for (const [index, key] of cases.entries()) ready.keep(...key, response(String(index)))
  assert.deepEqual(
    cases.map((key) => ready.find(...key)?.identity.body),
    ['0', '1', '2', '3']
  )
  assert.equal(ready.find('http://b', PAGE, '/1'), undefined)
})

test('forget removes everything, the current lane too', () => {
  const ready = createResponseCache(MAX_LANE_BYTES)
  ready.keep('http://b', COMPACT_JSON, '/1', response('b'))
  ready.keep(BASE, COMPACT_JSON, '/1', response('a'))
  ready.forget()
  assert.equal(ready.find(BASE, COMPACT_JSON, '/1'), undefined)
  assert.equal(ready.find('http://b', COMPACT_JSON, '/1'), undefined)
})

test('many base URLs evict those that are not requested', () => {
  const ready = createResponseCache(MAX_LANE_BYTES)
  ready.keep(BASE, COMPACT_JSON, '/1', response('a'))
  for (let index = 0; index < 20; index++) {
    ready.keep(`http://${index}`, COMPACT_JSON, '/1', response('x'))
  }
  assert.equal(ready.find(BASE, COMPACT_JSON, '/1'), undefined)
  assert.equal(ready.find('http://19', COMPACT_JSON, '/1')?.identity.body, 'x')
})

test('a body keeps its bytes', () => {
  const { body } = response('Tørrvik 🚀').identity
  assert.ok(typeof body === 'string')
  assert.equal(Buffer.from(body, 'latin1').toString(), 'Tørrvik 🚀')
})
