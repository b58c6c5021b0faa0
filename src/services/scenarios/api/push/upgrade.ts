import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import { UpgradeInvalid } from '../../contract.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'

/** Both headers, as the parser of Node asks for them. */
export function isSocketRequest({ headers }: IncomingMessage): boolean {
  const options = (headers.connection ?? '').toLowerCase().split(',')
  return (
    headers.upgrade?.toLowerCase() === 'websocket' &&
    options.some((option) => option.trim() === 'upgrade')
  )
}

/** Answers the handshake and hands the open socket over; rejects with what was wrong with it. */
export async function acceptSocket(
  { context, request, response }: RequestContext,
  headers: Readonly<Record<string, string>>
): Promise<WebSocket> {
  const { WebSocketServer } = await import('ws')
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: context.options.maxBodyBytes
  })
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>()
  server.on('wsClientError', ({ message }) => reject(new UpgradeInvalid(message)))
  server.on('headers', (lines) => {
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
    // What the log tells about this request.
    response.statusCode = 101
  })
  server.handleUpgrade(request, request.socket, Buffer.alloc(0), resolve)
  return promise
}
