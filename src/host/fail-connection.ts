import type { ErrorResponse } from '../kernel/errors.ts'
import { STATUS_CODES } from '../kernel/node-http.ts'
import { type Connection, type Connections, isResponding } from './connections.ts'

/**
 * Closes a connection whose input cannot be parsed. Nothing is written into a response that was
 * begun, and a request that was received completely gets its own response, because it may have been
 * carried out. Otherwise the client receives `rendered`.
 */
export function failConnection(
  connections: Connections,
  connection: Connection,
  rendered?: ErrorResponse
): void {
  const { socket, request, response } = connection
  connection.isBroken = true
  // Node has removed its own listener after `CONNECT`, and an unhandled error ends the process.
  socket.on('error', () => socket.destroy())
  const end = () => connections.end(connection)

  function reject(): void {
    if (rendered !== undefined) socket.write(rawResponse(rendered))
    end()
  }

  if (request === undefined || response === undefined) reject()
  // The error may be in the body of a request that was answered before its end.
  else if (!isResponding(connection)) (request.complete ? reject : end)()
  else if (request.complete || response.writableEnded) {
    response.shouldKeepAlive = false
    response.once('close', end)
  } else if (response.headersSent) socket.destroy()
  else {
    // For log and metrics: the response of the service is never sent.
    response.statusCode = rendered?.status ?? response.statusCode
    // An earlier response on this connection is sent first.
    if (response.socket === socket) reject()
    else response.once('socket', reject)
  }
}

/** For the socket, because there is no response object after a parser error. */
function rawResponse({ status, body, type, headers = {} }: ErrorResponse): Buffer {
  const bytes = Buffer.from(body)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${type}`,
    `content-length: ${bytes.length}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'connection: close'
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes])
}
