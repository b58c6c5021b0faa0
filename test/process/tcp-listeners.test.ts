/** Ports of services that are not for HTTP, with a service of the test's own. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { configure } from '../../src/host/configuration.ts'
import type { Configuration } from '../../src/host/configuration-reader.ts'
import { type ConnectionLimits, createConnections } from '../../src/host/connections.ts'
import { type Host, openHost } from '../../src/host/host.ts'
import { openListener } from '../../src/host/listener.ts'
import { openTcpListener } from '../../src/host/tcp-listener.ts'
import type { Kernel, ListenerHandler, Service } from '../../src/kernel/service.ts'
import { freePortBase } from '../support/ports.ts'

const NAME = 'echo'
const DEADLINE_MS = 10_000
const MAX_PER_CLIENT = 3
const ECHO_OFFSET = 143

/** Greets, sends back what it reads, and says goodbye. */
function createEcho(changes: Partial<ListenerHandler> = {}) {
  const open = new Set<Socket>()
  const handler: ListenerHandler = {
    maxPerClient: MAX_PER_CLIENT,
    onConnection(socket) {
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      socket.write('hello\r\n')
      socket.pipe(socket)
    },
    reject: (socket) => socket.write('too many\r\n'),
    close() {
      for (const socket of open) socket.end('bye\r\n')
    },
    ...changes
  }
  return { open, handler }
}

function createService(handler: ListenerHandler, seen: { kernel?: Kernel } = {}): Service {
  return {
    name: NAME,
    label: 'I-9',
    summary: 'sends back',
    compatibleWith: 'nothing',
    example: { method: 'GET', path: '/' },
    settings: { echoHost: { kind: 'array', default: ['127.0.0.1', '::1'], about: 'addresses' } },
    ports: [
      { name: 'echo', offset: ECHO_OFFSET, summary: 'echoes', hostSetting: 'echoHost' },
      { name: 'unused', offset: 1, summary: 'is never opened', hostSetting: 'echoHost' }
    ],
    renderError: ({ message }) => ({ status: 500, body: message, type: 'text/plain' }),
    openapi: () => ({}),
    async mount(kernel) {
      seen.kernel = kernel
      kernel.listen('echo', handler)
      return {}
    }
  }
}

interface Opened extends Host {
  errors: string[]
}

async function open(service: Service, changes: Partial<Configuration> = {}): Promise<Opened> {
  const errors: string[] = []
  const configuration = configure({ portBase: 0, quiet: true, ephemeral: true })
  const host = await openHost(
    { ...configuration, services: [service], ...changes },
    {
      requestLog: undefined,
      warn: assert.fail,
      onUnexpectedError: (name, { message }) => errors.push(`${name}: ${message}`)
    }
  )
  return { ...host, errors }
}

function portOf({ ports }: Host): number {
  return ports[0]?.port ?? assert.fail('no port')
}

interface Client {
  socket: Socket
  text: string
  isClosed: boolean
}

function openClient(port: number, host = '127.0.0.1'): Client {
  const client: Client = { socket: connect(port, host), text: '', isClosed: false }
  client.socket.setEncoding('latin1').on('error', () => {})
  client.socket.on('data', (chunk) => {
    client.text += chunk
  })
  client.socket.on('close', () => {
    client.isClosed = true
  })
  return client
}

async function until(isDone: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS
  while (!isDone()) {
    assert.ok(performance.now() < deadline, `not in time: ${what}`)
    await wait(5)
  }
}

test('a port that a service listens on is reached by both loopback addresses', async () => {
  const seen: { kernel?: Kernel } = {}
  const host = await open(createService(createEcho().handler, seen))
  try {
    const port = portOf(host)
    assert.deepEqual(
      host.ports.map(({ name, url, host: address }) => [name, url, address]),
      [['echo-echo', `echo://127.0.0.1:${port}`, '127.0.0.1']]
    )
    assert.equal(seen.kernel?.listenerAddress('echo')?.port, port)
    assert.equal(seen.kernel?.listenerAddress('unused'), undefined)
    assert.throws(() => seen.kernel?.listen('other', createEcho().handler), /declares no port/)
    for (const address of ['127.0.0.1', '::1']) {
      const client = openClient(port, address)
      client.socket.write('ping')
      await until(() => client.text === 'hello\r\nping', `the echo of ${address}`)
      client.socket.end()
    }
  } finally {
    await host.stop()
  }
})

test('connections beyond those of one address get the reason, and are counted', async () => {
  const { handler, open: connected } = createEcho()
  const host = await open(createService(handler))
  try {
    const port = portOf(host)
    const clients = Array.from({ length: MAX_PER_CLIENT }, () => openClient(port))
    await until(() => clients.every(({ text }) => text !== ''), 'the greetings')
    const surplus = openClient(port)
    surplus.socket.write('ping')
    await until(() => surplus.isClosed, 'the end of the surplus')
    assert.equal(surplus.text, 'too many\r\n')
    const otherAddress = openClient(port, '::1')
    await until(() => otherAddress.text === 'hello\r\n', 'another address')
    clients[0]?.socket.end()
    await until(() => connected.size === MAX_PER_CLIENT, 'the end of the first')
    const next = openClient(port)
    await until(() => next.text === 'hello\r\n', 'the next of the address')

    const metrics = await (await fetch(`${host.console?.url}/metrics`)).text()
    assert.match(metrics, /^nonet_connections_total\{listener="echo-echo"\} 5$/m)
    assert.match(metrics, /^nonet_connections_rejected_total\{listener="echo-echo"\} 1$/m)
    assert.match(metrics, /^nonet_connections_open\{listener="echo-echo"\} 4$/m)
    const page = await (await fetch(`${host.console?.url}/`)).text()
    assert.match(page, new RegExp(`echoes: <code>echo://127.0.0.1:${port}</code>`))
  } finally {
    await host.stop()
  }
})

test('a handler that throws and a client that resets its connection harm no others', async () => {
  let connections = 0
  const { handler } = createEcho({
    onConnection(socket) {
      connections += 1
      if (connections === 1) throw new Error('not prepared')
      socket.write('x'.repeat(1_000_000))
    }
  })
  const host = await open(createService(handler))
  try {
    const first = openClient(portOf(host))
    await until(() => first.isClosed, 'the end of the first')
    assert.deepEqual(host.errors, ['echo-echo: not prepared'])
    const second = connect(portOf(host), '127.0.0.1')
    await once(second, 'connect')
    second.resetAndDestroy()
    const third = openClient(portOf(host))
    await until(() => third.text.length === 1_000_000, 'the third')
    third.socket.destroy()
  } finally {
    await host.stop()
  }
  assert.deepEqual(host.errors, ['echo-echo: not prepared'])
})

test('a port is the base and its offset, or the one of --port', async () => {
  const portBase = await freePortBase()
  const service = createService(createEcho().handler)
  const first = await open(service, { portBase })
  assert.equal(portOf(first), portBase + ECHO_OFFSET)
  await first.stop()
  const moved = await open(service, { portBase, port: { 'echo-echo': portBase + 1 } })
  assert.equal(portOf(moved), portBase + 1)
  await moved.stop()
})

test('a port in use is an error with service and flag, and closes the ports before it', async (t) => {
  const portBase = await freePortBase()
  const taken = createServer()
  t.after(() => taken.close())
  await once(taken.listen(portBase + ECHO_OFFSET, '127.0.0.1'), 'listening')
  const service = createService(createEcho().handler)
  await assert.rejects(open(service, { portBase }), {
    message: `Port ${portBase + ECHO_OFFSET} for echo-echo is in use: choose another with --port echo-echo=N, or move all with --port-base N`
  })
  taken.close()
  await once(taken, 'close')
  const host = await open(service, { portBase })
  await host.stop()
})

test('a setting moves the port to other addresses, and one that is not ours is an error', async () => {
  const service = createService(createEcho().handler)
  const host = await open(service, { options: { [NAME]: { echoHost: ['::1'] } } })
  assert.equal(host.ports[0]?.url, `echo://[::1]:${portOf(host)}`)
  const [refused] = await once(connect(portOf(host), '127.0.0.1'), 'error').catch((error) => [
    error
  ])
  assert.equal(refused.code, 'ECONNREFUSED')
  await host.stop()
  const foreign = { [NAME]: { echoHost: ['192.0.2.1'] } }
  await assert.rejects(open(service, { options: foreign }), /^UserError: .*192\.0\.2\.1/)
})

test('a stop tells the clients and waits for the end of their connections', async () => {
  const host = await open(createService(createEcho().handler))
  const client = openClient(portOf(host))
  await until(() => client.text !== '', 'the greeting')
  const started = performance.now()
  await host.stop()
  assert.ok(performance.now() - started < DEADLINE_MS / 2)
  await until(() => client.isClosed, 'the end')
  assert.equal(client.text, 'hello\r\nbye\r\n')
})

test('a stop does not wait for clients that read the end and stay', async () => {
  const host = await open(createService(createEcho().handler))
  const socket = connect({ port: portOf(host), host: '127.0.0.1', allowHalfOpen: true })
  let text = ''
  socket.setEncoding('latin1').on('error', () => {})
  socket.on('data', (chunk) => {
    text += chunk
  })
  await until(() => text !== '', 'the greeting')
  const started = performance.now()
  await host.stop()
  assert.ok(performance.now() - started < DEADLINE_MS / 2)
  assert.equal(text, 'hello\r\nbye\r\n')
  socket.destroy()
})

async function listenAlone(handler: ListenerHandler, limits: ConnectionLimits = {}) {
  const connections = createConnections(limits)
  const counts = { accepted: 0, rejected: 0, open: 0 }
  const common = { name: 'test', hosts: ['127.0.0.1'], port: 0, connections }
  const tcp = await openTcpListener({ ...common, handler, counts, report: assert.fail })
  const http = await openListener({
    ...common,
    requestTimeoutMs: DEADLINE_MS,
    handler: (_request, response) => response.end('fine'),
    upgrade: undefined,
    observer: (observed) => observed,
    renderError: ({ message }) => ({ status: 500, type: 'text/plain', body: message })
  })
  return {
    tcp,
    counts,
    connections,
    url: `http://127.0.0.1:${http.port}`,
    async [Symbol.asyncDispose]() {
      await Promise.all([tcp.drain(0), http.drain(0)])
      connections.close()
    }
  }
}

test('a client that does not leave is cut at the deadline', async () => {
  const { handler, open: connected } = createEcho({ close: () => undefined })
  await using listener = await listenAlone(handler)
  const client = openClient(listener.tcp.port)
  await until(() => client.text !== '', 'the greeting')
  await listener.tcp.drain(50)
  await until(() => client.isClosed, 'the cut')
  assert.equal(connected.size, 0)
  assert.equal(listener.counts.open, 0)
})

test('all clients together have half of the connections, HTTP the rest', async () => {
  const max = 20
  const { handler } = createEcho({ maxPerClient: 1000 })
  await using listener = await listenAlone(handler, { max })
  const clients = Array.from({ length: 3 * max }, () => openClient(listener.tcp.port))
  await until(() => clients.filter(({ isClosed }) => isClosed).length === 2.5 * max, 'rejections')
  assert.equal(listener.connections.count, max / 2)
  assert.equal(clients.filter(({ text }) => text === 'too many\r\n').length, 2.5 * max)
  for (let n = 0; n < 3; n++) assert.equal(await (await fetch(listener.url)).text(), 'fine')
  for (const { socket } of clients) socket.destroy()
  await until(() => listener.counts.open === 0, 'the end of all')
  const next = openClient(listener.tcp.port)
  await until(() => next.text === 'hello\r\n', 'a new client')
})
