import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerOptions } from 'node:http'
import { type AddressInfo, connect } from 'node:net'

/** A request whose head and first bytes have arrived, and the socket that sends the rest. */
export async function openRequest(
  start: string,
  length: number | 'chunked' = 10,
  options: ServerOptions = {}
) {
  const server = createServer(options).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  const framing = length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${framing}\r\n\r\n${start}`)
  const [request]: IncomingMessage[] = await once(server, 'request')
  assert.ok(request)
  return {
    request,
    socket,
    [Symbol.dispose]() {
      socket.destroy()
      server.close()
    }
  }
}
