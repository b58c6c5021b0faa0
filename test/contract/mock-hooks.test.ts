/** Code of the operator's own: what it may do, and what becomes of the others when it fails. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { upstreamAt } from '../../src/services/mock/engine/options.ts'
import { openHooks } from '../../src/services/mock/hooks/hook-runner.ts'
import { type Answer, compare, type Row, send } from '../support/contract.ts'
import { problem } from '../support/mock-rows.ts'
import { type MockServer, openMock } from '../support/mock-server.ts'
import { answerThing, THING, things } from '../support/mock-things.ts'
import { openUpstream, type Upstream } from '../support/mock-upstream.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const hooks = fileURLToPath(new URL('../support/mock-hooks.mjs', import.meta.url))
const failed = problem('HOOK_FAILED', 500, 'A hook failed')

const rows: Row[] = [
  {
    proves: 'a request and its answer are changed in place',
    send: { path: '/things/7' },
    expect: {
      status: 200,
      json: { ...THING, id: 2 },
      headers: { 'x-seen': 'getThing GET getThing' }
    }
  },
  {
    proves: 'a request that is given back is routed again',
    send: { path: '/old/things/7' },
    expect: { status: 200, headers: { 'x-seen': 'getThing undefined' } }
  },
  {
    proves: 'an answer that is given back is sent',
    send: { path: '/answer' },
    expect: { status: 202, json: { made: true }, headers: { 'x-from': 'hook', 'x-seen': null } }
  },
  {
    proves: 'bytes stay bytes',
    send: { path: '/bytes' },
    expect: { status: 200, type: 'image/png', headers: { 'content-length': '2' } }
  },
  { proves: 'an answer may have no body', send: { path: '/bodiless' }, expect: { status: 204 } },
  {
    proves: 'a header cannot break out of its line',
    send: { path: '/split' },
    expect: { status: 200, text: 'text', headers: { 'set-cookie': null } }
  },
  {
    proves: 'what comes out is checked',
    send: { path: '/things/7?spoil' },
    expect: { status: 200, headers: { 'sl-violations': /"id"/ } }
  },
  { proves: 'a hook that throws', send: { path: '/throw' }, expect: failed },
  { proves: 'a hook that gives back nonsense', send: { path: '/nonsense' }, expect: failed },
  { proves: 'a hook that gives back no status', send: { path: '/no-status' }, expect: failed },
  { proves: 'a hook that gives back code', send: { path: '/function' }, expect: failed },
  { proves: 'a hook that gives back what JSON has not', send: { path: '/huge' }, expect: failed },
  { proves: 'a hook that ends its process', send: { path: '/exit' }, expect: failed }
]

const patient: Row = {
  proves: 'a hook that waits for ever',
  send: { path: '/never' },
  expect: failed
}
/** Its hooks may take this long, those of the usual server five seconds. */
const HASTY_MS = 500

/** Its hook has the default timeout of five seconds, during which the other tests run. */
let usual: MockServer
let late: Promise<Answer>
before(async () => {
  usual = await openMock(things, {}, {}, { hooks })
  late = send(usual.url, patient.send)
})
after(async () => {
  await usual.close()
  assert.deepEqual(usual.defects, [])
})

async function recovers(url: string): Promise<void> {
  // A thread that ends takes what was sent to it down with it.
  let status = 0
  for (let tries = 0; status !== 200 && tries < 20; tries++) {
    status = (await send(url, { path: '/things/7' })).status
  }
  assert.equal(status, 200)
}

for (const mode of ['mock', 'proxy'] as const) {
  describe(`hooks, ${mode === 'mock' ? 'mocked' : 'in front of a server'}`, () => {
    let upstream: Upstream
    let mock: MockServer
    let hasty: MockServer
    before(async () => {
      upstream = await openUpstream(answerThing)
      const options = mode === 'mock' ? {} : { upstream: upstreamAt(new URL(upstream.url)) }
      mock = await openMock(things, options, {}, { hooks })
      hasty = await openMock(things, options, {}, { hooks, hookTimeoutMs: HASTY_MS })
    })
    after(async () => {
      await Promise.all([mock.close(), hasty.close()])
      await upstream.close()
      assert.deepEqual([...mock.defects, ...hasty.defects], [])
    })

    for (const row of rows) {
      test(row.proves, async () => compare(await send(mock.url, row.send), row.expect))
    }
    test(patient.proves, async () => compare(await send(hasty.url, patient.send), patient.expect))

    test('and all goes on as before', async () => {
      for (const { url } of [mock, hasty]) await recovers(url)
    })

    test('the body of a request is changed', async () => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ id: 5, name: 'five' })
      await send(mock.url, { method: 'POST', path: '/things', headers, body })
      const sent = mock.exchanges.at(-1)?.incoming.body
      assert.equal(Buffer.from(sent ?? []).toString(), '{"id":5,"name":"five!"}')
      if (mode === 'proxy') {
        assert.equal(String(upstream.received.at(-1)?.body), '{"id":5,"name":"five!"}')
      }
    })

    test('a null of JSON is seen as one', async () => {
      const headers = { 'content-type': 'application/json' }
      await send(mock.url, { method: 'POST', path: '/things?kind', headers, body: 'null' })
      assert.equal(mock.exchanges.at(-1)?.incoming.headers['x-kind'], 'null')
    })

    const without: [proves: string, query: string, body: string, type: string | undefined][] = [
      ['is taken away, and what spoke of it', 'strip', '', undefined],
      ['may become null', 'null', 'null', 'application/json']
    ]
    for (const [proves, query, body, type] of without) {
      test(`the body of a request ${proves}`, async () => {
        const headers = { 'content-type': 'application/json' }
        const sent = { method: 'POST', headers, body: '{"id":5,"name":"five"}' }
        await send(mock.url, { ...sent, path: `/things?${query}` })
        const incoming = mock.exchanges.at(-1)?.incoming
        const length = body === '' ? undefined : String(body.length)
        assert.equal(Buffer.from(incoming?.body ?? []).toString(), body)
        assert.equal(incoming?.headers['content-type'], type)
        assert.equal(incoming?.headers['content-length'], length)
        if (mode === 'proxy') {
          assert.equal(String(upstream.received.at(-1)?.body), body)
          assert.equal(upstream.received.at(-1)?.headers['content-type'], type)
        }
      })
    }
  })
}

describe('a module of hooks', () => {
  const rows: [proves: string, text: string | undefined, expected: RegExp][] = [
    ['must be there', undefined, /hooks\.mjs cannot be loaded: /],
    ['must be JavaScript', 'export const', /hooks\.mjs cannot be loaded: /],
    [
      'must export a hook',
      'export const onrequest = 1',
      /exports no hook; known hooks: onRequest or onResponse$/
    ],
    [
      'must not fail',
      'throw new Error("at once")',
      /hooks\.mjs cannot be loaded: at once \(.*hooks\.mjs:1:7\)$/
    ],
    ['must not end', 'process.exit(0)', /hooks\.mjs exited while loading$/]
  ]
  for (const [proves, text, expected] of rows) {
    test(proves, async () => {
      const path = join(scratchFolder(), 'hooks.mjs')
      if (text !== undefined) writeFileSync(path, text)
      await assert.rejects(openHooks(path), { name: 'UserError', message: expected })
    })
  }
})

test('a hook that waits for ever, given the usual time', async () => {
  await compare(await late, patient.expect)
  await recovers(usual.url)
})
