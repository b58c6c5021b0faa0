import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { WebSocket } from 'ws'
import { type Nonet, start } from '../../src/host/start.ts'
import { contract } from '../support/contract.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { sendRaw } from '../support/raw-socket.ts'

const JSON_BODY = { 'content-type': 'application/json' }

/** A client's messages in the order in which they came. */
function inbox(socket: WebSocket) {
  const messages: unknown[] = []
  const waiting: ((message: unknown) => void)[] = []
  socket.on('message', (content) => {
    const message = JSON.parse(String(content))
    const taker = waiting.shift()
    if (taker === undefined) messages.push(message)
    else taker(message)
  })
  return {
    next: (): Promise<Record<string, unknown>> =>
      new Promise((resolve) => {
        const message = messages.shift()
        if (message === undefined) waiting.push((later) => resolve(Object(later)))
        else resolve(Object(message))
      })
  }
}

contract('a WebSocket address', { service: 'scenarios' }, [
  {
    proves: 'without an upgrade it says what it is for',
    send: { path: '/api/ws' },
    expect: {
      status: 426,
      json: { error: 'This URL accepts WebSocket connections only' },
      headers: { upgrade: 'websocket', 'x-error-code': 'upgrade_needed' }
    }
  }
])

for (const engine of ENGINES) {
  describe(`WebSockets on ${engine}`, () => {
    let nonet: Nonet<'scenarios'>
    before(async () => {
      nonet = await start({ services: ['scenarios'], ...engineOptions(engine) })
    })
    after(() => nonet.stop())

    const open = (path: string) => new WebSocket(nonet.scenarios.url.replace('http', 'ws') + path)

    test('greets, echoes what it gets, and keeps its digits', async () => {
      const socket = open('/api/ws')
      const { next } = inbox(socket)
      assert.deepEqual(await next(), { type: 'welcome', user: null })
      socket.send('hello')
      assert.deepEqual(await next(), { type: 'echo', data: 'hello' })
      socket.send('{"n":[1,2]}')
      assert.deepEqual(await next(), { type: 'echo', data: { n: [1, 2] } })
      socket.send(Buffer.from([1, 2, 255]))
      assert.deepEqual(await next(), { type: 'echo', data: 'AQL/', binary: true })
      socket.close(4000)
      assert.equal((await once(socket, 'close'))[0], 4000)
    })

    test('tells the events of its workspace', async () => {
      const socket = open('/w/sockets/api/ws')
      const { next } = inbox(socket)
      await next()
      await fetch(`${nonet.scenarios.url}/w/sockets/api/users`, {
        method: 'POST',
        headers: JSON_BODY,
        body: '{"name":"trinity"}'
      })
      const { id, type, at, data } = await next()
      assert.deepEqual([id, type, Object(data).name], [1, 'user.created', 'trinity'])
      assert.equal(new Date(String(at)).toISOString(), at)
      socket.close()
    })

    test('ticks for a demonstration', async () => {
      const socket = open('/api/ws?interval=10&count=2')
      const { next } = inbox(socket)
      await next()
      const ticks = [await next(), await next()]
      assert.deepEqual(
        ticks.map(({ type, data }) => [type, data]),
        [
          ['tick', { n: 1 }],
          ['tick', { n: 2 }]
        ]
      )
      socket.close()
    })

    test('knows who is there by the address or by the first message', async () => {
      const user = { id: 4, email: 'eve.holt@reqres.in', first_name: 'Eve', last_name: 'Holt' }
      const named = open('/api/ws?token=QpwL5tke4Pnpja7X4')
      assert.deepEqual(await inbox(named).next(), { type: 'welcome', user })
      named.close()
      const quiet = open('/api/ws')
      const { next } = inbox(quiet)
      await next()
      quiet.send('{"token":"QpwL5tke4Pnpja7X4"}')
      assert.deepEqual(await next(), { type: 'auth', user })
      quiet.send('{"token":"only the first message is looked at"}')
      assert.equal((await next()).type, 'echo')
      quiet.close()
    })

    test('closes with 4401 for a token that is none', async () => {
      const named = open('/api/ws?token=nobody')
      const [code, reason] = await once(named, 'close')
      assert.deepEqual([code, String(reason)], [4401, 'Invalid token'])
      const quiet = open('/api/ws')
      await inbox(quiet).next()
      quiet.send('{"token":"nobody"}')
      assert.equal((await once(quiet, 'close'))[0], 4401)
    })

    test('ws-close closes with that code, and the handshake says why', async () => {
      const socket = open('/api/ws?scenario=ws-close:4123')
      const [upgrade] = await once(socket, 'upgrade')
      assert.equal(upgrade.headers['x-scenario-applied'], 'ws-close')
      assert.equal((await once(socket, 'close'))[0], 4123)
    })

    for (const [spec, status] of [
      ['status:503', 503],
      ['unauthorized', 401],
      ['nonsense', 400]
    ] as const) {
      test(`${spec} refuses the handshake`, async () => {
        const socket = open(`/api/ws?scenario=${spec}`)
        const [, answer] = await once(socket, 'unexpected-response')
        assert.equal(answer.statusCode, status)
        socket.on('error', () => undefined)
        socket.terminate()
      })
    }

    test('reset tears the handshake', async () => {
      const socket = open('/api/ws?scenario=reset')
      const [error] = await once(socket, 'error')
      assert.match(error.code, /ECONNRESET/)
    })

    test('a message over the limit closes with 1009', async () => {
      const socket = open('/api/ws')
      await inbox(socket).next()
      socket.send('x'.repeat(1024 * 1024 + 1))
      assert.equal((await once(socket, 'close'))[0], 1009)
    })

    test('another upgrade is ignored, as RFC 9110 allows', async () => {
      const { statuses, text } = await sendRaw(
        nonet.scenarios.url,
        [
          'GET /api/users/2 HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings, close\r\n' +
            'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n'
        ],
        2000,
        30_000
      )
      assert.deepEqual(statuses, [200])
      assert.match(text, /Janet/)
    })

    test('a handshake that is none is refused in our format', async () => {
      const { statuses, text, closed } = await sendRaw(
        nonet.scenarios.url,
        [
          'GET /api/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
            'Sec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n'
        ],
        2000,
        30_000
      )
      assert.deepEqual([statuses, closed], [[400], true])
      assert.match(text, /\r\nx-error-code: invalid_upgrade\r\n/i)
      assert.match(text, /\{"error":"[^"]*Sec-WebSocket-Key[^"]*"\}$/)
    })

    test('other addresses take no WebSockets', async () => {
      for (const path of ['/api/users', '/', '/nothing']) {
        const socket = open(path)
        const [, answer] = await once(socket, 'unexpected-response')
        assert.ok([200, 404].includes(answer.statusCode), `${path}: ${answer.statusCode}`)
        socket.on('error', () => undefined)
        socket.terminate()
      }
    })
  })
}

test('services without WebSockets refuse them in their own format', async () => {
  await using nonet = await start({ services: ['reference', 'boxes'] })
  for (const [url, body] of [
    [nonet.reference.url, /\{"detail":"This service does not support WebSockets"\}$/],
    [nonet.boxes.url, /"message":"This service does not support WebSockets"/]
  ] as const) {
    const { statuses, text, closed } = await sendRaw(
      url,
      ['GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
      2000,
      30_000
    )
    assert.deepEqual([statuses, closed], [[400], true])
    assert.match(text, body)
  }
})

test('a server that stops closes its sockets with 1001', async () => {
  const nonet = await start({ services: ['scenarios'] })
  const socket = new WebSocket(`${nonet.scenarios.url.replace('http', 'ws')}/api/ws`)
  await inbox(socket).next()
  const closed = once(socket, 'close')
  const began = performance.now()
  await nonet.stop()
  assert.equal((await closed)[0], 1001)
  assert.ok(performance.now() - began < 9_000, 'before the deadline of ten seconds')
})
