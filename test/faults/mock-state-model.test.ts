/**
 * Random sequences of create, read, list, replace, patch and remove against a model, in several
 * sessions and below several parents, with ids and bodies that are out to break something. After
 * each call status and body must be the model's; nothing may answer 5xx.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { scaled } from '../support/effort.ts'
import { openStatePlace, STATE_KINDS } from '../support/mock-state-place.ts'
import { createRandom } from '../support/random.ts'
import { sendRaw } from '../support/raw-socket.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const QUIET_MS = 5000
const CALLS = { memory: scaled(400, 800), sqlite: scaled(200, 300), postgres: scaled(100, 150) }

const value = { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] }
const any = { type: 'object' }
const ok = (schema: object) => ({
  200: { description: 'ok', content: { 'application/json': { schema } } }
})
const takes = (type = 'application/json', schema: object = any) => ({
  requestBody: { required: true, content: { [type]: { schema } } }
})
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Boxes', version: '1' },
  paths: {
    '/rooms/{room}/boxes': {
      get: { responses: ok({ type: 'array', items: value }) },
      post: { ...takes(), responses: ok(value) }
    },
    '/rooms/{room}/boxes/{key}': {
      get: { responses: ok(value) },
      put: {
        ...takes(),
        responses: {
          ...ok(value),
          201: { description: 'new', content: { 'application/json': { schema: value } } }
        }
      },
      patch: { ...takes('application/merge-patch+json'), responses: ok(value) },
      delete: { responses: { 204: { description: 'gone' } } }
    }
  }
}

const IDS = [
  'plain',
  '__proto__',
  'constructor',
  'toString',
  '../x',
  'a/b',
  '%2f',
  '\u0000',
  ' ',
  '"quoted"',
  "'; drop table state_record; --",
  'ünïcödé 🌱',
  '-1',
  '1e3',
  'x'.repeat(91),
  'x'.repeat(10_000)
] as const

const BODIES: readonly [string, ...string[]] = [
  '{"n":1}',
  '{"__proto__":{"polluted":true},"n":2}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"key":"other","text":"\\u0000 \\ud800 🌱"}',
  '{"deep":{"a":{"b":[1,{"c":null}]}}}',
  '{"n":null,"m":[null]}',
  '{}'
]

type Json = { [name: string]: unknown }

/** RFC 7396, as its pseudocode has it. */
function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target)
  const merged = new Map(isObject ? Object.entries(target as Json) : [])
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) merged.delete(name)
    else merged.set(name, merge(merged.get(name), change))
  }
  return Object.fromEntries(merged)
}

function startShelves(folder: string, place: object) {
  const file = join(folder, 'boxes.json')
  writeFileSync(file, JSON.stringify(DOCUMENT))
  const mock = { documents: [file], state: true }
  return start({ services: ['mock'], console: false, ...place, mock })
}

for (const kind of STATE_KINDS) {
  describe(`a model of the state, ${kind}`, { timeout: 300_000 }, () => {
    test('agrees after every call', async (t) => {
      const folder = scratchFolder()
      await using place = await openStatePlace(kind, folder)
      await using nonet = await startShelves(folder, place.options)
      const { url } = nonet.mock
      const random = createRandom(8)
      const model = new Map<string, Map<string, Json>>()
      const counters = new Map<string, number>()
      const statuses = new Map<number, number>()

      for (let call = 0; call < CALLS[kind]; call++) {
        const session = random.pick(['', 'a', '__proto__', 'é'])
        const room = random.pick(['1', '__proto__', 'x/y', 'z'.repeat(300)])
        const id = random.pick(IDS)
        const shelf = model.get(`${session} ${room}`) ?? new Map<string, Json>()
        model.set(`${session} ${room}`, shelf)
        const list = `${url}/rooms/${encodeURIComponent(room)}/boxes`
        const item = `${list}/${encodeURIComponent(id)}`
        const body = random.pick(BODIES)
        const sent = JSON.parse(body) as Json
        const ask = async (
          method: string,
          to: string,
          text?: string,
          type = 'application/json'
        ) => {
          const answer = await fetch(`${to}?__session=${encodeURIComponent(session || 'none')}`, {
            method,
            headers: text === undefined ? {} : { 'content-type': type },
            body: text ?? null
          })
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          const shown = await answer.text()
          return { status: answer.status, body: shown === '' ? undefined : JSON.parse(shown) }
        }
        const withKey = (record: Json): Json =>
          Object.fromEntries([
            ...Object.entries(record).filter(([name]) => name !== 'key'),
            ['key', id]
          ])
        const known = shelf.get(id)
        const where = `call ${call}: ${session} ${room.slice(0, 9)} ${id.slice(0, 30)} ${body}`
        switch (random.below(6)) {
          case 0: {
            const made = await ask('POST', list, body)
            if (typeof sent.key === 'string' && shelf.has(sent.key)) {
              assert.equal(made.status, 409, where)
              break
            }
            assert.equal(made.status, 200, where)
            const last = counters.get(session) ?? 0
            const key = typeof sent.key === 'string' ? sent.key : made.body.key
            if (sent.key === undefined) {
              assert.ok(Number(key) > last, where)
              counters.set(session, Number(key))
            }
            assert.deepEqual(made.body, { ...spread(sent), key }, where)
            shelf.set(key, made.body)
            break
          }
          case 1: {
            const put = await ask('PUT', item, body)
            assert.equal(put.status, known === undefined ? 201 : 200, where)
            assert.deepEqual(put.body, withKey(sent), where)
            shelf.set(id, put.body)
            break
          }
          case 2: {
            const patched = await ask('PATCH', item, body, 'application/merge-patch+json')
            assert.equal(patched.status, known === undefined ? 404 : 200, where)
            if (known === undefined) break
            assert.deepEqual(patched.body, withKey(merge(known, sent) as Json), where)
            shelf.set(id, patched.body)
            break
          }
          case 3: {
            const gone = await ask('DELETE', item)
            assert.equal(gone.status, known === undefined ? 404 : 204, where)
            shelf.delete(id)
            break
          }
          case 4: {
            const read = await ask('GET', item)
            assert.equal(read.status, known === undefined ? 404 : 200, where)
            if (known !== undefined) assert.deepEqual(read.body, known, where)
            break
          }
          default: {
            const all = await ask('GET', list)
            assert.equal(all.status, 200, where)
            const byKey = (one: Json, other: Json) => (String(one.key) < String(other.key) ? -1 : 1)
            assert.deepEqual(all.body.sort(byKey), [...shelf.values()].sort(byKey), where)
          }
        }
      }
      assert.equal(({} as Json).polluted, undefined)
      t.diagnostic(`${CALLS[kind]} calls: ${JSON.stringify(Object.fromEntries(statuses))}`)
    })

    test('ids that are no ids get an answer of 4xx', async () => {
      const folder = scratchFolder()
      await using place = await openStatePlace(kind, folder)
      await using nonet = await startShelves(folder, place.options)
      for (const path of [
        '',
        '%00',
        '%ff',
        '%zz',
        '%2e%2e%2f',
        '..%2f',
        '%ed%a0%80',
        '"',
        '{key}'
      ]) {
        const answer = await sendRaw(
          nonet.mock.url,
          [`GET /rooms/1/boxes/${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`],
          QUIET_MS
        )
        assert.deepEqual(
          answer.statuses.map((status) => Math.floor(status / 100)),
          [4],
          path
        )
      }
    })
  })
}

function spread(record: Json): Json {
  return Object.fromEntries(Object.entries(record))
}
