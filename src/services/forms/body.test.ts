import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { readBody } from './body.ts'

const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n'

/** A request whose head and first bytes have arrived, and the socket that sends the rest. */
async function openRequest(start: string) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(HEAD + start)
  const [request]: IncomingMessage[] = await once(server, 'request')
  assert.ok(request)
  function close(): void {
    socket.destroy()
    server.close()
  }
  return { request, socket, close }
}

test('a body is read whole, however it arrives', async () => {
  const { request, socket, close } = await openRequest('01234')
  const body = readBody(request, 100, 60_000)
  socket.write('56789')
  assert.equal(String(await body), '0123456789')
  close()
})

test('an aborted body is rejected at once', async () => {
  const { request, socket, close } = await openRequest('01234')
  const body = readBody(request, 100, 60_000)
  socket.destroy()
  await assert.rejects(body, (error) => String(error) === 'Error: Request body aborted')
  close()
})

test('an incomplete body times out', async () => {
  const { request, close } = await openRequest('01234')
  const text = 'Error: Request body timed out after 20 ms'
  await assert.rejects(readBody(request, 100, 20), (error) => String(error) === text)
  close()
})
