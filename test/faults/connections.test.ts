/** Connections that are broken, silent, endless or not read, over raw sockets. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { type ConnectionLimits, createConnections } from '../../src/host/connections.ts'
import { openListener } from '../../src/host/listener.ts'
import { type Launched, launchNonet } from '../support/launcher.ts'
import { withoutPause } from '../support/pauses.ts'
import { sendRaw } from '../support/raw-socket.ts'

const DEADLINE_MS = 60_000
const MEGABYTE = 1024 * 1024

async function listen(
  handler: RequestListener,
  limits: ConnectionLimits = {},
  requestTimeoutMs = DEADLINE_MS
) {
  const connections = createConnections(limits)
  const listener = await openListener({
    name: 'test',
    hosts: ['127.0.0.1'],
    port: 0,
    requestTimeoutMs,
    handler,
    upgrade: undefined,
    observer: (observed) => observed,
    renderError: ({ statusCode = 500, message }) => ({
      status: statusCode,
      type: 'text/plain',
      body: message
    }),
    connections
  })
  const { port } = listener
  return {
    connections,
    url: `http://127.0.0.1:${port}`,
    drain: listener.drain,
    /** A client that stays connected after the server has ended the connection. */
    open() {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      const client = { socket, text: '', errors: [] as string[] }
      socket.setEncoding('latin1').on('error', ({ message }) => client.errors.push(message))
      socket.on('data', (chunk) => {
        client.text += chunk
      })
      return client
    },
    async [Symbol.asyncDispose]() {
      await listener.drain(0)
      connections.close()
    }
  }
}

async function until(isDone: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS
  while (!isDone()) {
    assert.ok(performance.now() < deadline, `not in time: ${what}`)
    await wait(10)
  }
}

const head = (method: string, more = '') => `${method} / HTTP/1.1\r\nHost: a\r\n${more}\r\n`
const statusesOf = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((hit) => hit[1])

/** Time for a request of a client that does not leave. */
const REQUEST_MS = 400

describe('a client that does not leave after its answer', () => {
  const cases: Readonly<Record<string, readonly [string, string, RequestListener?]>> = {
    'after silence': ['', '408'],
    'after half a head': ['GET / HT', '408'],
    'after half a body': [`${head('POST', 'Content-Length: 9\r\n')}1234`, '408', () => undefined],
    'after nonsense': ['NONSENSE\r\n\r\n', '400'],
    'after CONNECT': ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', '400'],
    'after a broken body': [
      `${head('POST', 'Transfer-Encoding: chunked\r\n')}zz\r\n`,
      '400',
      () => undefined
    ],
    'after an early answer': [
      `${head('POST', 'Content-Length: 9\r\n')}1234`,
      '200',
      (_request, response) => response.writeHead(200, { connection: 'close' }).end('early')
    ],
    'after an early answer on a connection that could stay': [
      `${head('POST', 'Content-Length: 9\r\n')}1234`,
      '200',
      (_request, response) => response.end('early')
    ]
  }
  for (const [name, [sent, status, handler]] of Object.entries(cases)) {
    test(`is let go ${name}`, () =>
      withoutPause(REQUEST_MS, async () => {
        const limits = { stallMs: 600, lingerMs: 100 }
        await using server = await listen(handler ?? (() => assert.fail()), limits, REQUEST_MS)
        const client = server.open()
        client.socket.write(sent)
        await until(() => client.socket.readableEnded, 'the end of the answer')
        assert.deepEqual(statusesOf(client.text), [status])
        await until(() => server.connections.count === 0, 'the end of the connection')
        client.socket.destroy()
      }))
  }
})

describe('more connections than allowed', () => {
  test('silent and idle ones make way for requests', async () => {
    await using server = await listen((_request, response) => response.end('here'), { max: 10 })
    const idle = Array.from({ length: 5 }, () => server.open())
    for (const { socket } of idle) socket.write(head('GET'))
    await until(() => idle.every(({ text }) => text.endsWith('here')), 'the first answers')
    const silent = Array.from({ length: 30 }, () => server.open())
    await until(() => silent.filter(({ socket }) => socket.readableEnded).length >= 20, 'closing')
    const honest = Array.from({ length: 10 }, () => server.open())
    for (const { socket } of honest) socket.write(head('GET'))
    await until(() => honest.every(({ text }) => text.endsWith('here')), 'the answers')
    assert.ok(server.connections.count <= 10)
    for (const { socket } of [...idle, ...silent, ...honest]) socket.destroy()
  })

  test('a request that is being answered does not', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<() => void>()
    const handler: RequestListener = (_request, response) => resolve(() => response.end('late'))
    await using server = await listen(handler, { max: 1 })
    const first = server.open()
    first.socket.write(head('GET'))
    const respond = await asked
    const second = server.open()
    await until(() => second.socket.readableEnded || second.errors.length > 0, 'the refusal')
    respond()
    await until(() => first.text.endsWith('late'), 'the answer')
    for (const { socket } of [first, second]) socket.destroy()
  })
})

describe('an error on a connection with a response under way', () => {
  const nonsense = {
    garbage: 'NONSENSE\r\n\r\n',
    'a tunnel': 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
    'an upgrade': head('GET', 'Connection: Upgrade\r\nUpgrade: websocket\r\n')
  }
  for (const [name, more] of Object.entries(nonsense)) {
    test(`${name} after a request: it gets its own response, and nothing else`, async () => {
      const { promise: asked, resolve } = Promise.withResolvers<() => void>()
      const handler: RequestListener = (_request, response) => {
        response.writeHead(201, { 'content-length': '4' }).write('do')
        resolve(() => response.end('ne'))
      }
      await using server = await listen(handler, { lingerMs: 100 })
      const client = server.open()
      client.socket.write(`${head('POST', 'Content-Length: 2\r\n')}{}${more}`)
      const respond = await asked
      client.socket.write(more)
      await nextTurn()
      respond()
      await until(() => client.socket.readableEnded, 'the end')
      assert.deepEqual(statusesOf(client.text), ['201'])
      assert.match(client.text, /\r\n\r\ndone$/)
      await until(() => server.connections.count === 0, 'the end of the connection')
      client.socket.destroy()
    })
  }

  test('a broken body after the start of the response cuts it', async () => {
    const handler: RequestListener = (_request, response) => {
      response.writeHead(200, { 'content-length': '9' }).write('begun')
    }
    await using server = await listen(handler)
    const client = server.open()
    client.socket.write(head('POST', 'Transfer-Encoding: chunked\r\n'))
    await until(() => client.text.endsWith('begun'), 'the start')
    client.socket.write('zz\r\n')
    await until(() => client.socket.readableEnded || client.errors.length > 0, 'the cut')
    assert.deepEqual(statusesOf(client.text), ['200'])
    assert.match(client.text, /begun$/)
    client.socket.destroy()
  })
})

test('a request rejected while its body arrives gets its response, not a reset', async () => {
  await using server = await listen((_request, response) => {
    response.writeHead(413, { connection: 'close', 'content-length': '9' }).end('too large')
  })
  const client = server.open()
  client.socket.write(head('POST', `Content-Length: ${64 * MEGABYTE}\r\n`))
  await until(() => client.text.endsWith('too large'), 'the answer')
  for (let sent = 0; sent < 8; sent++) {
    await new Promise((written) => client.socket.write(Buffer.alloc(MEGABYTE), written))
  }
  assert.deepEqual(client.errors, [])
  client.socket.destroy()
})

describe('a response that is not read', () => {
  const limits = { stallMs: 300 }
  const large = Buffer.alloc(24 * MEGABYTE, 'x')

  test('is cut when nothing moves', async () => {
    await using server = await listen((_request, response) => response.end(large), limits)
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1').pause()
    socket.on('error', () => undefined)
    socket.write(head('GET'))
    await until(() => server.connections.count === 1, 'the connection')
    await until(() => server.connections.count === 0, 'the cut')
    socket.destroy()
  })

  test('stays while the client reads slowly', async () => {
    // Longer than a busy machine keeps the reader waiting.
    const longer = { stallMs: 1500 }
    await using server = await listen((_request, response) => response.end(large), longer)
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1').pause()
    socket.on('error', () => undefined)
    socket.write(head('GET', 'Connection: close\r\n'))
    let size = 0
    let free = 0
    socket.on('data', (chunk) => {
      size += chunk.length
      free -= chunk.length
      if (free < 0) socket.pause()
    })
    const closed = once(socket, 'close')
    // A megabyte at a time, in all longer than the limit.
    const reading = setInterval(() => {
      free = MEGABYTE
      socket.resume()
    }, 150)
    await closed
    clearInterval(reading)
    assert.ok(size > large.length)
  })

  test('an event stream whose events are read stays open without any', async () => {
    let end = () => {}
    await using server = await listen(
      (request, response) => {
        response.write(large)
        if (request.url === '/events') end = () => response.end('the end')
        // Longer than a busy machine keeps the reader waiting.
      },
      { stallMs: 1500 }
    )
    const { body } = await fetch(new URL('/events', server.url))
    const reader = body?.getReader() ?? assert.fail('no body')
    for (let size = 0; size < large.length; ) size += (await reader.read()).value?.length ?? NaN
    // Another connection, which begins later and is not read, has reached the limit.
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1').pause()
    socket.on('error', () => undefined)
    socket.write(head('GET'))
    await until(() => server.connections.count === 2, 'the other connection')
    await until(() => server.connections.count < 2, 'its cut')
    socket.destroy()
    end()
    assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), 'the end')
  })
})

describe('in every service', () => {
  let nonet: Launched
  before(async () => {
    nonet = await launchNonet(['--ephemeral', '--quiet'])
  })
  after(() => nonet.end())

  test('two Host headers are 400 in its format', async () => {
    const urls = { ...nonet.ready.services, console: nonet.ready.console ?? '' }
    for (const [name, url] of Object.entries(urls)) {
      const twice = 'Host: localhost\r\nhOST: localhost\r\nConnection: close\r\n'
      const rejected = await sendRaw(url, [`GET / HTTP/1.1\r\n${twice}\r\n`], DEADLINE_MS)
      assert.deepEqual([name, rejected.statuses], [name, [400]])
      assert.match(rejected.text, /more than one Host header; send exactly one/)
      const accepted = await sendRaw(url, [head('GET', 'Connection: close\r\n')], DEADLINE_MS)
      assert.doesNotMatch(accepted.text, /Host header/)
    }
  })

  const announced: Readonly<Record<string, readonly [string, number, RegExp]>> = {
    boxes: ['/announced', 413, /"body_too_large"/],
    countries: ['/graphql', 413, /BODY_TOO_LARGE/],
    // By specification, every error of a form is 500.
    forms: ['/', 500, /Error: Request body too large$/],
    mock: ['/beds', 413, /"BODY_TOO_LARGE"/],
    scenarios: ['/api/users', 413, /Body too large/],
    console: ['/forms/catch', 413, /FST_ERR_CTP_BODY_TOO_LARGE/]
  }
  for (const [name, [path, status, text]] of Object.entries(announced)) {
    test(`${name} rejects a body that is announced too long before it comes`, async () => {
      const url =
        name === 'console' ? (nonet.ready.console ?? '') : (nonet.ready.services[name] ?? '')
      const lines = [
        'Host: localhost',
        'Content-Type: application/json',
        'Content-Length: 999999999'
      ]
      const request = `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`
      // Less than the time in which a request must be complete.
      const answer = await sendRaw(url, [request], 20_000)
      assert.deepEqual(answer.statuses, [status])
      assert.match(answer.text, text)
    })
  }
})

test('a connection without a request does not delay the end', async () => {
  await using server = await listen((_request, response) => response.end())
  const { socket } = server.open()
  await until(() => server.connections.count === 1, 'no connection')
  const ended = await Promise.race([
    server.drain(DEADLINE_MS).then(() => 'drained'),
    // After ten seconds it would end by the time-out of its headers.
    wait(8000, 'late', { ref: false })
  ])
  assert.equal(ended, 'drained')
  socket.destroy()
})
