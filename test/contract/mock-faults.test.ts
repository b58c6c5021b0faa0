/** Delays and faults, asked for by a request or by a rule, mocked and in front of a server. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { upstreamAt } from '../../src/services/mock/engine/options.ts'
import { compare, send } from '../support/contract.ts'
import { problem } from '../support/mock-rows.ts'
import { type MockServer, openMock } from '../support/mock-server.ts'
import { answerThing, THING, things } from '../support/mock-things.ts'
import { openUpstream, type Upstream } from '../support/mock-upstream.ts'
import { sendRaw } from '../support/raw-socket.ts'

const FAULTS = ['reset', 'empty', 'garbage', 'truncate', 'hang', 'timeout']
/** Ways to ask for a fault: a preference, or what the rules below look at. */
const HEADERS = ['prefer: fault=', 'x-fault: ']
const QUIET_MS = 400

const rules = [
  ...FAULTS.map((fault) => ({
    match: { operationId: 'getThing' },
    when: { '$request.header.x-fault': fault },
    do: [{ fault }]
  })),
  {
    phase: 'request',
    when: { '$request.header.x-early': { exists: true } },
    do: [{ fault: 'empty' }]
  },
  {
    phase: 'final',
    when: { '$request.header.x-final': { exists: true } },
    do: [{ fault: 'truncate' }]
  },
  {
    match: { operationId: 'getThing' },
    when: { '$request.header.x-wait': { exists: true } },
    do: [{ delay: '{$request.header.x-wait}' }]
  }
]

/** The fault is complete when nothing comes for this time; the first byte may take longer. */
async function ask(mock: MockServer, header: string, target = '/things/7', firstByteMs = 30_000) {
  const lines = [`GET ${target} HTTP/1.1`, 'host: a', header, '', '']
  return sendRaw(mock.url, [lines.join('\r\n')], QUIET_MS, firstByteMs)
}

/** Whether the connection was reset rather than ended. */
async function isReset(mock: MockServer, header: string): Promise<boolean> {
  const { port, hostname } = new URL(mock.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`GET /things/7 HTTP/1.1\r\nhost: a\r\n${header}\r\n\r\n`)
  return new Promise((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNRESET'))
    socket.once('end', () => resolve(false))
    socket.resume()
  })
}

for (const mode of ['mock', 'proxy'] as const) {
  describe(`what goes wrong on purpose, ${mode === 'mock' ? 'mocked' : 'in front of a server'}`, () => {
    let upstream: Upstream
    let mock: MockServer
    before(async () => {
      upstream = await openUpstream(answerThing)
      const options = mode === 'mock' ? {} : { upstream: upstreamAt(new URL(upstream.url)) }
      mock = await openMock(things, options, {}, { rules })
    })
    after(async () => {
      await mock.close()
      await upstream.close()
      assert.deepEqual(mock.defects, [])
    })

    for (const header of HEADERS) {
      test(`${header}reset`, async () => {
        assert.equal(await isReset(mock, `${header}reset`), true)
        assert.equal(await isReset(mock, `${header}empty`), false)
      })

      test(`${header}empty`, async () => {
        const { text, closed } = await ask(mock, `${header}empty`)
        assert.deepEqual([text, closed], ['', true])
      })

      test(`${header}garbage`, async () => {
        const { text, closed } = await ask(mock, `${header}garbage`)
        assert.match(text, /^HTTP\/1\.1 200 OK\r\n.*content-type: application\/json\r\n/s)
        assert.match(text, /\r\n\r\n(?:\xc0\xff)+$/)
        assert.equal(closed, true)
      })

      test(`${header}truncate`, async () => {
        const { text, closed } = await ask(mock, `${header}truncate`)
        const whole = JSON.stringify(THING)
        assert.match(text, new RegExp(`content-length: ${whole.length}\r\n`))
        const body = text.slice(text.indexOf('\r\n\r\n') + 4)
        assert.ok(whole.startsWith(body) && body.length < whole.length, body)
        assert.equal(closed, true)
      })
    }

    describe('nothing is sent, and the connection stays open', { concurrency: true }, () => {
      for (const header of HEADERS) {
        for (const fault of ['hang', 'timeout']) {
          test(`${header}${fault}`, async () => {
            const { text, closed } = await ask(mock, `${header}${fault}`, '/things/7', QUIET_MS)
            assert.deepEqual([text, closed], ['', false])
          })
        }
      }
    })

    test('a fault of the request phase comes before everything else', async () => {
      upstream.received.length = 0
      const { text, closed } = await ask(mock, 'x-early: 1')
      assert.deepEqual([text, closed], ['', true])
      assert.equal(upstream.received.length, 0)
    })

    test('a fault of the final phase hits problems too', async () => {
      const target = mode === 'mock' ? '/nowhere' : '/things/7'
      const { text } = await ask(mock, 'x-final: 1', target)
      assert.match(text, mode === 'mock' ? /^HTTP\/1\.1 404 / : /^HTTP\/1\.1 200 /)
      assert.ok(!text.endsWith('}'), text)
    })

    describe('an answer that is late', { concurrency: true }, () => {
      for (const [name, headers, target] of [
        ['Prefer', { prefer: 'delay=150' }, '/things/7'],
        ['__delay', {}, '/things/7?__delay=150'],
        ['a rule', { 'x-wait': '150' }, '/things/7']
      ] as const) {
        test(`for ${name}`, async () => {
          const started = performance.now()
          await compare(await send(mock.url, { path: target, headers }), {
            status: 200,
            json: THING
          })
          // Timers may fire a little early by this clock.
          assert.ok(performance.now() - started >= 145)
        })
      }
    })

    test('__fault is the same as the preference', async () => {
      const { text, closed } = await ask(mock, 'x: y', '/things/7?__fault=empty')
      assert.deepEqual([text, closed], ['', true])
    })

    test('a client that leaves while it waits leaves nothing behind', async () => {
      const controller = new AbortController()
      const headers = { prefer: 'delay=100' }
      const leaving = fetch(`${mock.url}/things/7`, { headers, signal: controller.signal })
      setTimeout(() => controller.abort(), 20)
      await assert.rejects(leaving, { name: 'AbortError' })
      await compare(await send(mock.url, { path: '/things/7' }), { status: 200, json: THING })
    })
  })
}

describe('what cannot be meant', () => {
  for (const prefer of ['fault=explode', 'delay=600001', 'delay=soon', 'fault=__proto__']) {
    test(prefer, async () => {
      await using mock = await openMock(things)
      await compare(
        await send(mock.url, { path: '/things/7', headers: { prefer } }),
        problem('UNPROCESSABLE_ENTITY', 422, 'Invalid request')
      )
    })
  }
})

test('stopping does not wait for those who wait', async () => {
  const mock = await openMock(things)
  const waiting = fetch(`${mock.url}/things/7`, { headers: { prefer: 'delay=600000' } })
  const hanging = fetch(`${mock.url}/things/7`, { headers: { prefer: 'fault=hang' } })
  await new Promise((resolve) => setTimeout(resolve, 50))
  const started = performance.now()
  await mock.close()
  await Promise.allSettled([waiting, hanging])
  assert.ok(performance.now() - started < 30_000)
})
