/** What is large or endless: documents, values, rules, hooks, requests and pages. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { mock } from '../../src/host/mock.ts'
import { upstreamAt } from '../../src/services/mock/engine/options.ts'
import { createGenerator } from '../../src/services/mock/generate/generator.ts'
import { openHooks } from '../../src/services/mock/hooks/hook-runner.ts'
import { createSchemas, type Violation } from '../../src/services/mock/schema/schemas.ts'
import { compare, send } from '../support/contract.ts'
import { problem } from '../support/mock-rows.ts'
import { openMock } from '../support/mock-server.ts'
import { answerThing, things } from '../support/mock-things.ts'
import { openUpstream } from '../support/mock-upstream.ts'
import { withoutPause } from '../support/pauses.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const at = (name: string) => `#/components/schemas/${name}`
const ref = (name: string) => ({ $ref: at(name) })
const IT = at('It')

function openSchemas(schemas: Record<string, unknown>) {
  return createSchemas({ components: { schemas } })
}

function generate(schema: unknown, more: Record<string, unknown> = {}) {
  return createGenerator(openSchemas({ ...more, It: schema })).sample(IT, 'response')
}

function reject(schema: unknown, reason: RegExp, more: Record<string, unknown> = {}): void {
  const generator = createGenerator(openSchemas({ ...more, It: schema }))
  for (const made of [generate(schema, more), generator.random(IT, 'response', 'seed')]) {
    assert.ok(!made.ok, JSON.stringify(made).slice(0, 200))
    assert.match(made.reason, reason)
  }
}

test('bodies of hostile documents end with a message', () => {
  reject({ type: 'array', minItems: 1e9, items: {} }, /an array of 1000000000 items/)
  reject({ type: 'string', minLength: 1e9 }, /a string of 1000000000 characters/)
  const other = { oneOf: [{ type: 'array', minItems: 1e9 }, { type: 'null' }] }
  assert.deepEqual(generate(other), { ok: true, value: null })
  reject({ type: 'object', minProperties: 1e9 }, /no value/)
  reject({ type: 'string', pattern: '^a{150000}b{150000}$' }, /no value/)
  reject({ allOf: [{ type: 'string' }, { type: 'integer' }] }, /no value/)
  const bomb: Record<string, unknown> = { B30: { type: 'string' } }
  const chain: Record<string, unknown> = { N500: { type: 'string' } }
  for (let number = 0; number < 30; number += 1) {
    const next = ref(`B${number + 1}`)
    bomb[`B${number}`] = { oneOf: [next, { allOf: [next, { minLength: number }] }] }
  }
  for (let number = 0; number < 500; number += 1) {
    chain[`N${number}`] = {
      type: 'object',
      required: ['n'],
      properties: { n: ref(`N${number + 1}`), m: ref(`N${(number * 7) % 500}`) }
    }
  }
  reject(ref('B0'), /after 200000 steps/, bomb)
  reject(ref('N0'), /100 levels deep/, chain)
  const properties: Record<string, unknown> = {}
  for (let number = 0; number < 10_000; number += 1) properties[`p${number}`] = { type: 'string' }
  const wide = generate({ type: 'object', properties })
  assert.ok(wide.ok && Object.keys(wide.value as object).length === 10_000)
})

test('hostile documents and values result in a violation and do not end the process', () => {
  const circle: Record<string, unknown> = {}
  for (let number = 0; number < 100; number += 1) {
    circle[`C${number}`] = { properties: { next: ref(`C${(number + 1) % 100}`) }, type: 'object' }
  }
  let deep: unknown = 5
  for (let level = 0; level < 100_000; level += 1) deep = { next: deep }
  const limit = (violations: Violation[]) => violations.map(({ keyword }) => keyword)
  const circular = openSchemas(circle).find(at('C0'), 'request')
  assert.ok(circular.ok)
  assert.deepEqual(limit(circular.compiled.validate(deep)), ['limit'])
  assert.deepEqual(limit(circular.compiled.validate({ next: { next: 5 } })), ['type'])

  const bomb: Record<string, unknown> = { B40: { type: 'string' } }
  for (let number = 0; number < 40; number += 1) {
    const next = ref(`B${number + 1}`)
    bomb[`B${number}`] = { anyOf: [{ allOf: [next, { minLength: 9 }] }, { allOf: [next, false] }] }
  }
  const exponential = openSchemas(bomb).find(at('B0'), 'request')
  assert.ok(exponential.ok)
  assert.deepEqual(limit(exponential.compiled.validate('text')), ['limit'])

  let nested: unknown = { type: 'string' }
  for (let level = 0; level < 1200; level += 1) nested = { allOf: [nested] }
  const schemas = openSchemas({ It: nested })
  assert.ok(schemas.find(IT, 'request').ok)
  assert.match(schemas.problems()[0]?.message ?? '', /nested more than 200 levels/)
})

test('rules that are large or many are weighed, whatever they are made of', async () => {
  const shared = 'x'.repeat(1_000_000)
  const long = '{$request.header.x-a}'.repeat(60)
  const match = { operationId: 'getThing' }
  const rules = [
    {
      match,
      when: { '$request.header.x-b': 'shared' },
      do: [{ replaceBody: Array(100).fill(shared) }]
    },
    {
      match,
      when: { '$request.header.x-b': 'filled' },
      do: [{ replaceBody: Array(40).fill(long) }]
    },
    ...Array.from({ length: 60 }, (_, index) => ({
      match,
      when: { '$request.header.x-b': 'many' },
      do: [{ merge: { [`m${index}`]: '{$request.header.x-a}'.repeat(40) } }]
    }))
  ]
  await using mock = await openMock(things, {}, {}, { rules })
  for (const kind of ['shared', 'filled', 'many']) {
    await compare(
      await send(mock.url, {
        path: '/things/7',
        headers: { 'x-b': kind, 'x-a': 'y'.repeat(8000) }
      }),
      problem('TRANSFORM_FAILED', 500, 'A rule failed')
    )
  }
  assert.deepEqual(mock.defects, [])
})

test('far more different requests than are remembered', async () => {
  const rule = { match: { operationId: 'getThing' }, do: [{ merge: { id: '{$request.path.id}' } }] }
  await using mock = await openMock(things, {}, {}, { rules: [rule] })
  const ids = [...Array(1050).keys(), ...Array(50).keys(), ...Array(50).keys()]
  for (let from = 0; from < ids.length; from += 50) {
    const asked = ids.slice(from, from + 50)
    const read = async (id: number): Promise<{ id: number }> =>
      (await fetch(`${mock.url}/things/${id}`)).json()
    const bodies = await Promise.all(asked.map(read))
    assert.deepEqual(
      bodies.map(({ id }) => id),
      asked
    )
  }
})

describe('a hook that never ends fails, and its thread is replaced', () => {
  const hooks = fileURLToPath(new URL('../support/mock-hooks.mjs', import.meta.url))
  for (const inFront of [false, true]) {
    test(inFront ? 'in front of a server' : 'mocked', async () => {
      const upstream = await openUpstream(answerThing)
      const options = inFront ? { upstream: upstreamAt(new URL(upstream.url)) } : {}
      const changes = { hooks, hookTimeoutMs: 500 }
      await using hooked = await openMock(things, options, {}, changes)
      await compare(
        await send(hooked.url, { path: '/loop' }),
        problem('HOOK_FAILED', 500, 'A hook failed')
      )
      // Requests that the thread got before its end fail too.
      let status = 0
      for (let tries = 0; status !== 200 && tries < 20; tries++) {
        status = (await send(hooked.url, { path: '/things/7' })).status
      }
      assert.equal(status, 200)
      assert.deepEqual(hooked.defects, [])
      await upstream.close()
    })
  }
})

test('two calls that take too long at once do not end a thread that responds', () =>
  withoutPause(400, async () => {
    const path = join(scratchFolder(), 'hooks.mjs')
    writeFileSync(
      path,
      `let calls = 0
    export async function onRequest({ path }) {
      if (path === '/never') return new Promise(() => {})
      return { calls: ++calls }
    }`
    )
    const runner = await openHooks(path, 500)
    try {
      const late = () => runner.call('onRequest', { path: '/never' })
      const calls = await Promise.allSettled([late(), late()])
      assert.deepEqual(
        calls.map(({ status }) => status),
        ['rejected', 'rejected']
      )
      // A thread that does not respond is ended after a second; its module would count anew.
      const until = performance.now() + 1300
      for (let count = 1; performance.now() < until; count++) {
        assert.deepEqual(await runner.call('onRequest', { path: '/count' }), { calls: count })
        await delay(50)
      }
    } finally {
      await runner.close()
    }
  }))

const MANY = 1000
const LONG = 'a-rather-long-segment-of-a-path'
const POINT = {
  type: 'object',
  properties: { x: { type: 'integer' }, y: { type: 'integer' } },
  example: { x: 1, y: 2 }
}
const BODY = {
  type: 'object',
  required: ['name', 'size'],
  properties: {
    name: { type: 'string', example: 'chard' },
    size: { type: 'integer', minimum: 1, example: 7 },
    tags: { type: 'array', items: { type: 'string' }, example: ['a'] }
  }
}

/** Longest turn of the event loop while something is done, in milliseconds of CPU time. */
async function longestTurn(act: () => Promise<void>): Promise<number> {
  const cpu = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let longest = 0
  let before = cpu()
  let isOver = false
  const watch = () => {
    const now = cpu()
    longest = Math.max(longest, now - before)
    before = now
    if (!isOver) setImmediate(watch)
  }
  setImmediate(watch)
  await act()
  isOver = true
  return longest
}

test('with 1,000 operations, pages have at most 100 KB and no turn takes over 50 ms', async () => {
  const operation = {
    summary: 'An operation with a summary of some length',
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
      { name: 'q', in: 'query', required: true, schema: POINT }
    ],
    requestBody: { content: { 'application/json': { schema: BODY } } },
    responses: {
      200: { description: '', content: { 'application/json': { schema: BODY } } },
      404: { description: '' }
    }
  }
  const paths = Array.from({ length: MANY / 2 }, (_, index) => [
    `/${LONG}/${index}/{id}/${LONG}`,
    { put: operation, post: operation }
  ])
  const hooks = Array.from({ length: 200 }, (_, index) => [`hook-${index}`, { post: operation }])
  const file = join(scratchFolder(), 'document.json')
  const document = {
    openapi: '3.1.0',
    info: { title: 'Many', version: '1' },
    paths: Object.fromEntries(paths),
    webhooks: Object.fromEntries(hooks)
  }
  writeFileSync(file, JSON.stringify(document))
  await using api = await mock(file)
  // A violation and a stray request for many rows on each page.
  for (let index = 0; index < 150; index++) {
    await fetch(`${api.url}/${LONG}/${index}/x/${LONG}?${'q=%22&'.repeat(40)}`, {
      method: 'POST',
      body: '"'
    })
    await fetch(`${api.url}/${'"'.repeat(150)}/${index}`)
  }
  const first = `PUT /${LONG}/0/{id}/${LONG}`
  const pages = [
    ...[
      '',
      '?page=7',
      '?find=put+999',
      'journal',
      'journal?before=150',
      'journal/1',
      'journal/1/edit'
    ],
    ...[
      'violations',
      'coverage',
      'coverage?page=9',
      'coverage?show=never',
      'webhooks',
      'documents'
    ],
    `try?${new URLSearchParams({ operation: first })}`
  ]
  for (const page of pages) {
    let best = Number.POSITIVE_INFINITY
    for (let round = 0; round < 3 && best > 50; round++) {
      let bytes = 0
      const turn = await longestTurn(async () => {
        const answer = await fetch(`${api.url}/__nonet/${page}`, {
          headers: { accept: 'text/html' }
        })
        assert.equal(answer.status, 200, page)
        bytes = (await answer.arrayBuffer()).byteLength
      })
      assert.ok(bytes <= 100_000, `${page}: ${bytes} bytes`)
      best = Math.min(best, turn)
    }
    assert.ok(best <= 50, `${page}: a turn of ${best.toFixed(1)} ms`)
  }
  const list = await (
    await fetch(`${api.url}/__nonet/?page=2`, { headers: { accept: 'text/html' } })
  ).text()
  assert.match(list, /Page 2 of 10/)
})
