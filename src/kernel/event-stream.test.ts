import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, mock, test } from 'node:test'
import {
  EVENT_STREAM_HEADERS,
  type EventStream,
  type EventStreamOptions,
  formatEvent,
  lastEventId,
  openEventStream
} from './event-stream.ts'

test('fields are written in the order given, one line each', () => {
  assert.equal(formatEvent({ retry: 2000, id: 7 }), 'retry: 2000\nid: 7\n\n')
  assert.equal(
    formatEvent({ event: 'reset', id: 'a', data: '{}' }),
    'event: reset\nid: a\ndata: {}\n\n'
  )
})

test('data of several lines has a field for each', () => {
  assert.equal(formatEvent({ data: 'a\nb\r\nc\rd' }), 'data: a\ndata: b\ndata: c\ndata: d\n\n')
})

test('a client that resumes sends the id of the last event', () => {
  assert.equal(lastEventId({ 'last-event-id': '12' }), '12')
  assert.equal(lastEventId({ 'last-event-id': '' }), undefined)
  assert.equal(lastEventId({}), undefined)
})

/** Each request becomes a stream that the test writes to. */
const server = createServer()
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
after(() => {
  server.closeAllConnections()
  server.close()
})

interface Connection {
  stream: EventStream
  response: ServerResponse
  client: IncomingMessage
}

async function connect(options: EventStreamOptions = {}): Promise<Connection> {
  const { port } = server.address() as AddressInfo
  const asked = once(server, 'request')
  const outgoing = get({ host: '127.0.0.1', port, agent: false })
  const answered = once(outgoing, 'response')
  const [, response]: ServerResponse[] = await asked
  assert.ok(response)
  const stream = openEventStream(response, { headers: EVENT_STREAM_HEADERS, ...options })
  response.flushHeaders()
  const [client]: IncomingMessage[] = await answered
  assert.ok(client)
  client.on('error', () => undefined)
  return { stream, response, client }
}

async function textOf(client: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = await client.toArray()
  return Buffer.concat(chunks).toString()
}

test('head, events, comments and the end arrive', async () => {
  const { stream, client } = await connect()
  await stream.send({ retry: 2000 })
  await stream.send({ id: 1, data: 'é' })
  await stream.comment('')
  await stream.comment('still here')
  assert.ok(stream.isOpen)
  stream.end()
  assert.ok(!stream.isOpen)
  await stream.send({ id: 2, data: 'too late' })
  assert.equal(client.statusCode, 200)
  assert.equal(client.headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.equal(client.headers['cache-control'], 'no-store')
  assert.equal(client.headers['x-accel-buffering'], 'no')
  const text = await textOf(client)
  assert.equal(text, 'retry: 2000\n\nid: 1\ndata: é\n\n:\n\n: still here\n\n')
})

test('heartbeats are sent at intervals, until the end', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  const { stream, client } = await connect({ heartbeat: { everyMs: 1000, comment: 'on' } })
  mock.timers.tick(2000)
  stream.end()
  mock.timers.tick(5000)
  mock.timers.reset()
  assert.equal(await textOf(client), ': on\n\n: on\n\n')
})

const LARGE = 'x'.repeat(1024 * 1024)

test('the sender waits for a slow client, and continues when it reads', async () => {
  const { stream, client } = await connect()
  let isTaken = false
  const sent = stream.send({ data: LARGE.repeat(20) }).then(() => {
    isTaken = true
  })
  assert.ok(stream.waitingBytes > 0)
  await new Promise(setImmediate)
  assert.ok(!isTaken)
  client.resume()
  await sent
  assert.ok(stream.isOpen)
  stream.end()
})

test('a client that does not read is disconnected, and its sender continues', async () => {
  const { stream, response } = await connect({ slowMs: 20 })
  await stream.send({ data: LARGE.repeat(20) })
  assert.ok(response.destroyed)
  assert.ok(!stream.isOpen)
  await stream.send({ data: 'more' })
})

test('when a client disconnects, its sender continues', async () => {
  const { stream, client } = await connect()
  const sent = stream.send({ data: LARGE.repeat(20) })
  client.destroy()
  await sent
  assert.ok(!stream.isOpen)
})
