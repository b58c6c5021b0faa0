import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../document/json.ts'
import { DEFAULT_OPTIONS } from '../engine/options.ts'
import { serveApi } from '../served-api.ts'
import { openState } from './state.ts'

const thing = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } }
const response = (schema: JsonObject, example: JsonObject[] | JsonObject) => ({
  get: {
    responses: { 200: { description: '', content: { 'application/json': { schema, example } } } }
  }
})
const DOCUMENT: JsonObject = {
  openapi: '3.1.0',
  info: { title: 't', version: '1' },
  paths: {
    '/things': response({ type: 'array', items: thing }, [
      { id: 3, name: 'first' },
      { id: 5, name: 'second' }
    ]),
    '/things/{id}': response(thing, { id: 3, name: 'first' }),
    '/owners/{id}/things': response({ type: 'array', items: thing }, [{ id: 1, name: 'owned' }]),
    '/owners/{id}/things/{thing}': response(thing, { id: 1, name: 'owned' })
  }
}

const rows: readonly [string, string, unknown][] = [
  ['things', '#/0/name', 'first'],
  ['/things', '/1/name', 'second'],
  ['things/5', '#/name', 'second'],
  ['things/5', '', { id: 5, name: 'second' }],
  ['things', '#/0/__proto__', undefined],
  ['things/9', '#/name', undefined],
  ['things', '#/9', undefined],
  ['owners/a/things', '#/0/name', 'owned'],
  ['owners/a%2Fb/things/1', '#/name', 'owned'],
  ['/owners/{id}/things', '', undefined],
  ['nowhere', '', undefined],
  ['constructor', '#/name', undefined]
]

test('a value of a collection by its path and a pointer', async () => {
  const kernel = {
    hasDatabase: false,
    now: () => new Date(0),
    get database(): never {
      throw new Error('there are no tables')
    }
  }
  const state = openState(kernel, { engine: DEFAULT_OPTIONS, seedData: undefined })
  state.follow(await state.prepare([serveApi(DOCUMENT, 'document.json')]))
  for (const [collection, pointer, expected] of rows) {
    const found = await state.readState(undefined, collection, pointer)
    assert.deepEqual(found, expected, `${collection} ${pointer}`)
  }
})
